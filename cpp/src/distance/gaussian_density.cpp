#include "intarsia/distance/gaussian_density.hpp"

#include <cmath>
#include <numbers>

#include "intarsia/common/error.hpp"
#include "intarsia/common/parallel.hpp"
#include "intarsia/distance/panel.hpp"

namespace intarsia {

namespace {

constexpr Index kPlaces = 64;  // places a task: they share the work of loading the points

template <class T>
void check(MatrixView<const T> x, MatrixView<const double> places, double width) {
    if (x.n_rows() < 1 || x.n_cols() < 1) throw InvalidInput("a density needs at least one point.");
    if (places.n_cols() != x.n_cols())
        throw InvalidInput("places and points differ in their number of features.");
    if (!(width > 0 && std::isfinite(width))) throw InvalidInput("the width should be finite and > 0.");
}

}  // namespace

template <class T>
std::vector<double> gaussian_density(MatrixView<const T> x, MatrixView<const double> places, double width,
                                     int n_threads) {
    check(x, places, width);
    const Index n = x.n_rows(), d = x.n_cols();
    const double height = std::pow(2 * std::numbers::pi * width * width, -0.5 * static_cast<double>(d));
    std::vector<double> density(static_cast<std::size_t>(places.n_rows()), 0.0);
    for_chunks(
        places.n_rows(), n_threads,
        [&](Index begin, Index end) {
            const std::vector<double> scale(static_cast<std::size_t>(d), 1 / (width * std::numbers::sqrt2));
            std::vector<double> panel(static_cast<std::size_t>(d * kPanel)), centred(panel.size());
            std::vector<double> weights(kPanel), costs(kPanel);
            for_panels(0, n, [&](Index first, Index last) {
                load_panel(x, first, last, panel.data());
                load_weights({}, first, last, weights.data());
                for (Index p = begin; p < end; ++p) {
                    panel_kernels().centre(panel.data(), d, places.row(p), centred.data());
                    panel_kernels().scaled(centred.data(), d, scale.data(), costs.data());
                    density[p] += panel_kernels().decayed(costs.data(), weights.data());
                }
            });
            for (Index p = begin; p < end; ++p) density[p] *= height / static_cast<double>(n);
        },
        kPlaces);
    return density;
}

template std::vector<double> gaussian_density<double>(MatrixView<const double>, MatrixView<const double>,
                                                      double, int);
template std::vector<double> gaussian_density<float>(MatrixView<const float>, MatrixView<const double>,
                                                     double, int);

}  // namespace intarsia
