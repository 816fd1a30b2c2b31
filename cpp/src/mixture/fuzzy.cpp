#include "intarsia/mixture/fuzzy.hpp"

#include <algorithm>
#include <cmath>

#include "intarsia/common/error.hpp"
#include "intarsia/common/parts.hpp"
#include "intarsia/distance/panel.hpp"

namespace intarsia {

namespace {

// A point on a centre belongs to it alone, and nothing divides by zero.
constexpr double kLeastDistance = 1e-290;

template <class T>
void check(const WeightedPointsOf<T>& points, MatrixView<const double> centres, double fuzziness) {
    if (points.n_dims() < 1) throw InvalidInput("fuzzy c-means needs at least one feature");
    if (centres.n_cols() != points.n_dims())
        throw InvalidInput("centres and points differ in their number of features");
    if (centres.n_rows() < 1) throw InvalidInput("fuzzy c-means needs at least one centre");
    check_weight_count(points.weights, points.n_points());
    if (!(fuzziness > 1)) throw InvalidInput("the fuzziness m should be > 1.");
}

// Memberships of one panel of points after another.
class Panels {
  public:
    Panels(MatrixView<const double> centres, double fuzziness)
        : centres_(centres),
          fuzziness_(fuzziness),
          panel_(static_cast<std::size_t>(centres.n_cols() * kPanel)),
          centred_(panel_.size()),
          shares_(static_cast<std::size_t>(centres.n_rows() * kPanel)),
          smallest_(kPanel),
          total_(kPanel) {}

    template <class T>
    void load(MatrixView<const T> x, Index first, Index last) {
        load_panel(x, first, last, panel_.data());
        measure();
        if (fuzziness_ == 3) panel_kernels().roots(shares_.data(), centres_.n_rows());
        if (fuzziness_ != 2 && fuzziness_ != 3) raise_distances();
        panel_kernels().inverse_shares(shares_.data(), centres_.n_rows(), other_.data(), total_.data());
        if (fuzziness_ == 2) smallest_.swap(other_);
        if (fuzziness_ == 3)
            for (Index i = 0; i < kPanel; ++i) smallest_[i] = other_[i] * other_[i];
    }

    double share(Index c, Index i) const { return shares_[c * kPanel + i]; }

    // sum over clusters of membership^m * squared distance, which is smallest / total^(m - 1).
    double cost(Index i) const {
        return smallest_[i] / (fuzziness_ == 2 ? total_[i] : std::pow(total_[i], fuzziness_ - 1));
    }

    // Adds sum w u^m and sum w u^m (x - centre) of cluster c to `sums`.
    void add_means(Index c, const double* weights, double* sums) {
        double* u = shares_.data() + c * kPanel;
        for (Index i = 0; i < kPanel; ++i)
            u[i] = weights[i] * (fuzziness_ == 2 ? u[i] * u[i] : std::pow(u[i], fuzziness_));
        panel_kernels().centre(panel_.data(), centres_.n_cols(), centres_.row(c), centred_.data());
        panel_kernels().means(centred_.data(), centres_.n_cols(), u, sums);
    }

  private:
    void measure() {
        for (Index c = 0; c < centres_.n_rows(); ++c) {
            double* out = shares_.data() + c * kPanel;
            panel_kernels().distances(panel_.data(), centres_.n_cols(), centres_.row(c), out);
            for (Index i = 0; i < kPanel; ++i) out[i] = std::max(out[i], kLeastDistance);
        }
    }

    // Distances become (distance / smallest)^(1 / (m - 1)), at least 1: no power overflows into nonsense.
    void raise_distances() {
        for (Index i = 0; i < kPanel; ++i) {
            smallest_[i] = shares_[i];
            for (Index c = 1; c < centres_.n_rows(); ++c) smallest_[i] = std::min(smallest_[i], share(c, i));
            for (Index c = 0; c < centres_.n_rows(); ++c)
                shares_[c * kPanel + i] = std::pow(share(c, i) / smallest_[i], 1 / (fuzziness_ - 1));
        }
    }

    MatrixView<const double> centres_;
    double fuzziness_;
    std::vector<double> panel_, centred_, shares_, smallest_, total_;
    std::vector<double> other_ = std::vector<double>(kPanel);
};

// For every cluster sum w u^m and sum w u^m (x - centre); the objective last.
template <class T>
std::vector<double> sums_about(const WeightedPointsOf<T>& points, MatrixView<const double> centres,
                               const FuzzyOptions& options) {
    const Index n = points.n_points(), k = centres.n_rows(), size = 1 + centres.n_cols();
    const int threads = useful_threads(n * k * size, options.n_threads);
    return sum_parts(n, k * size + 1, threads, [&](Index begin, Index end, double* sums) {
        Panels panels(centres, options.fuzziness);
        std::vector<double> w(kPanel);
        for_panels(begin, end, [&](Index first, Index last) {
            panels.load(points.x, first, last);
            load_weights(points.weights, first, last, w.data());
            for (Index i = 0; i < kPanel; ++i) sums[k * size] += w[i] * panels.cost(i);
            for (Index c = 0; c < k; ++c) panels.add_means(c, w.data(), sums + c * size);
        });
    });
}

// Moves the centres to the means; returns the summed squared shifts.
double move_centres(const std::vector<double>& sums, MatrixView<double> centres) {
    const Index d = centres.n_cols();
    double shift = 0;
    for (Index c = 0; c < centres.n_rows(); ++c) {
        const double* own = sums.data() + c * (1 + d);
        if (!(own[0] > 0)) continue;
        for (Index j = 0; j < d; ++j) {
            const double delta = own[1 + j] / own[0];
            centres(c, j) += delta;
            shift += delta * delta;
        }
    }
    return shift;
}

}  // namespace

template <class T>
FuzzyResult fuzzy_c_means(const WeightedPointsOf<T>& points, MatrixView<const double> start,
                          const FuzzyOptions& options) {
    check(points, start, options.fuzziness);
    const Index k = start.n_rows(), d = start.n_cols();
    FuzzyResult result;
    result.centres.assign(start.data(), start.data() + k * d);
    const MatrixView<double> centres(result.centres.data(), k, d);
    while (result.n_iter < options.max_iter && !result.converged) {
        ++result.n_iter;
        const double shift = move_centres(sums_about<T>(points, centres, options), centres);
        result.converged = shift <= options.shift_limit;
    }
    result.objective = sums_about<T>(points, centres, options).back();
    return result;
}

template <class T>
void fuzzy_memberships(MatrixView<const T> x, MatrixView<const double> centres, double fuzziness,
                       int n_threads, MatrixView<double> out) {
    check(WeightedPointsOf<T>{x}, centres, fuzziness);
    const Index k = centres.n_rows();
    if (out.n_rows() != x.n_rows() || out.n_cols() != k)
        throw InvalidInput("memberships need a row for each point and a column for each centre.");
    const int threads = useful_threads(x.n_rows() * k * x.n_cols(), n_threads);
    for_chunks(x.n_rows(), threads, [&](Index begin, Index end) {
        Panels panels(centres, fuzziness);
        for_panels(begin, end, [&](Index first, Index last) {
            panels.load(x, first, last);
            for (Index i = first; i < last; ++i)
                for (Index c = 0; c < k; ++c) out(i, c) = panels.share(c, i - first);
        });
    });
}

#define INTARSIA_INSTANTIATE(T)                                                                    \
    template FuzzyResult fuzzy_c_means<T>(const WeightedPointsOf<T>&, MatrixView<const double>,    \
                                          const FuzzyOptions&);                                    \
    template void fuzzy_memberships<T>(MatrixView<const T>, MatrixView<const double>, double, int, \
                                       MatrixView<double>);
INTARSIA_INSTANTIATE(double)
INTARSIA_INSTANTIATE(float)
#undef INTARSIA_INSTANTIATE

}  // namespace intarsia
