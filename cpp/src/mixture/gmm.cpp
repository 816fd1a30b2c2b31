#include "intarsia/mixture/gmm.hpp"

#include <cmath>
#include <limits>

#include "intarsia/common/error.hpp"
#include "intarsia/common/label_groups.hpp"
#include "intarsia/common/parts.hpp"
#include "intarsia/distance/panel.hpp"
#include "intarsia/mixture/gaussian_moments.hpp"

namespace intarsia {

namespace {

// Buffers of one thread of work: a panel, its centred form, k scores or shares a point, weights.
struct Workspace {
    Workspace(Index d, Index k)
        : panel(static_cast<std::size_t>(d * kPanel)),
          centred(panel.size()),
          shares(static_cast<std::size_t>(k * kPanel)),
          weights(kPanel),
          largest(kPanel),
          total(kPanel) {}
    std::vector<double> panel, centred, shares, weights, largest, total;
};

template <class T>
void check(const WeightedPointsOf<T>& points, Index k, Index d) {
    if (points.n_points() < 1 || points.n_dims() < 1)
        throw InvalidInput("EM needs at least one point and one feature");
    if (k < 1 || k > points.n_points()) throw InvalidInput("n_components must be between 1 and n_samples");
    if (d != points.n_dims()) throw InvalidInput("means and points differ in their number of features");
    check_weight_count(points.weights, points.n_points());
}

// Weighted moments of every component about its row of `shift`, one block of moment_size() after another,
// then one sum of its own. fill(first, last, work) writes the shares of a panel and returns its part of that
// sum.
template <class T, class Fill>
std::vector<double> moments(const WeightedPointsOf<T>& points, const Gaussians& shift, int n_threads,
                            Fill&& fill) {
    const Index k = shift.k, d = shift.d, size = moment_size(shift.type, d);
    const PanelKernels& kernels = panel_kernels();
    const auto add = shift.type == Covariance::kFull ? kernels.full_moments : kernels.diagonal_moments;
    const Index n = points.n_points();
    const int threads = useful_threads(n * k * d, n_threads);
    return sum_parts(n, k * size + 1, threads, [&](Index begin, Index end, double* sums) {
        Workspace work(d, k);
        for_panels(begin, end, [&](Index first, Index last) {
            load_panel(points.x, first, last, work.panel.data());
            load_weights(points.weights, first, last, work.weights.data());
            sums[k * size] += fill(first, last, work);
            for (Index c = 0; c < k; ++c) {
                double* r = work.shares.data() + c * kPanel;
                for (Index i = 0; i < kPanel; ++i) r[i] *= work.weights[i];
                kernels.centre(work.panel.data(), d, shift.mean(c), work.centred.data());
                add(work.centred.data(), d, r, sums + c * size);
            }
        });
    });
}

// Weighted sum of the log-likelihoods of a panel whose softmax has been taken.
double log_likelihood(const Workspace& work) {
    double sum = 0;
    for (Index i = 0; i < kPanel; ++i)
        if (work.weights[i] > 0) sum += work.weights[i] * (work.largest[i] + std::log(work.total[i]));
    return sum;
}

void take_posteriors(const Densities& densities, Workspace& work) {
    densities.log_densities(work.panel.data(), work.centred.data(), work.shares.data());
    panel_kernels().softmax(work.shares.data(), densities.mixture().k, work.largest.data(),
                            work.total.data());
}

// Fits `mixture` to the shares that `fill` writes; returns fill's own sum.
template <class T, class Fill>
double fit_to_shares(const WeightedPointsOf<T>& points, const GmmOptions& options, Gaussians& mixture,
                     Fill&& fill) {
    auto sums = moments(points, mixture, options.n_threads, fill);
    const double own = sums.back();
    if (!fit_to_moments(sums, options.reg_covar, mixture))
        fit_to_moments(moments(points, mixture, options.n_threads, fill), options.reg_covar, mixture);
    return own;
}

template <class T>
double total_weight(const WeightedPointsOf<T>& points) {
    if (points.weights.empty()) return static_cast<double>(points.n_points());
    double sum = 0;
    for (double w : points.weights) sum += w;
    return sum;
}

// k Gaussians that stand at the first point, which lies among the data, unlike the origin.
template <class T>
Gaussians at_first_point(const WeightedPointsOf<T>& points, Covariance type, Index k) {
    Gaussians mixture(type, k, points.n_dims());
    for (Index c = 0; c < k; ++c) std::copy_n(points.row(0), points.n_dims(), mixture.mean(c));
    return mixture;
}

}  // namespace

template <class T>
Gaussians gmm_from_responsibilities(const WeightedPointsOf<T>& points,
                                    MatrixView<const double> responsibilities, Covariance type,
                                    const GmmOptions& options) {
    check(points, responsibilities.n_cols(), points.n_dims());
    if (responsibilities.n_rows() != points.n_points())
        throw InvalidInput("responsibilities and points differ in length");
    const Index k = responsibilities.n_cols();
    Gaussians mixture = at_first_point(points, type, k);
    fit_to_shares(points, options, mixture, [&](Index first, Index last, Workspace& work) {
        for (Index i = 0; i < kPanel; ++i)
            for (Index c = 0; c < k; ++c)
                work.shares[c * kPanel + i] = first + i < last ? responsibilities(first + i, c) : 0.0;
        return 0.0;
    });
    return mixture;
}

template <class T>
Gaussians gmm_from_labels(const WeightedPointsOf<T>& points, std::span<const Label> labels, Index k,
                          Covariance type, const GmmOptions& options) {
    check(points, k, points.n_dims());
    check_labels(labels, points.n_points(), k);
    Gaussians mixture = at_first_point(points, type, k);
    fit_to_shares(points, options, mixture, [&](Index first, Index last, Workspace& work) {
        std::fill(work.shares.begin(), work.shares.end(), 0.0);
        for (Index i = first; i < last; ++i) work.shares[labels[i] * kPanel + i - first] = 1.0;
        return 0.0;
    });
    return mixture;
}

template <class T>
GmmResult gmm(const WeightedPointsOf<T>& points, const Gaussians& start, const GmmOptions& options) {
    check(points, start.k, start.d);
    GmmResult result{start, -std::numeric_limits<double>::infinity()};
    const double n = total_weight(points);
    while (result.n_iter < options.max_iter && !result.converged) {
        ++result.n_iter;
        const Gaussians before = result.mixture;
        const Densities densities(before);
        const double sum = fit_to_shares(points, options, result.mixture, [&](Index, Index, Workspace& work) {
            take_posteriors(densities, work);
            return log_likelihood(work);
        });
        result.converged = std::abs(sum / n - result.lower_bound) < options.tol;
        result.lower_bound = sum / n;
    }
    return result;
}

template <class T>
GmmPosteriors gmm_posteriors(MatrixView<const T> x, const Gaussians& mixture, int n_threads) {
    if (mixture.d != x.n_cols()) throw InvalidInput("means and points differ in their number of features");
    const Index k = mixture.k;
    const Densities densities(mixture);
    GmmPosteriors out{std::vector<double>(static_cast<std::size_t>(x.n_rows() * k)),
                      std::vector<double>(static_cast<std::size_t>(x.n_rows()))};
    for_chunks(x.n_rows(), useful_threads(x.n_rows() * k * mixture.d, n_threads),
               [&](Index begin, Index end) {
                   Workspace work(mixture.d, k);
                   for_panels(begin, end, [&](Index first, Index last) {
                       load_panel(x, first, last, work.panel.data());
                       take_posteriors(densities, work);
                       for (Index i = first; i < last; ++i) {
                           for (Index c = 0; c < k; ++c)
                               out.responsibilities[i * k + c] = work.shares[c * kPanel + i - first];
                           out.log_likelihoods[i] = work.largest[i - first] + std::log(work.total[i - first]);
                       }
                   });
               });
    return out;
}

#define INTARSIA_INSTANTIATE(T)                                                                           \
    template Gaussians gmm_from_responsibilities<T>(const WeightedPointsOf<T>&, MatrixView<const double>, \
                                                    Covariance, const GmmOptions&);                       \
    template Gaussians gmm_from_labels<T>(const WeightedPointsOf<T>&, std::span<const Label>, Index,      \
                                          Covariance, const GmmOptions&);                                 \
    template GmmResult gmm<T>(const WeightedPointsOf<T>&, const Gaussians&, const GmmOptions&);           \
    template GmmPosteriors gmm_posteriors<T>(MatrixView<const T>, const Gaussians&, int);
INTARSIA_INSTANTIATE(double)
INTARSIA_INSTANTIATE(float)
#undef INTARSIA_INSTANTIATE

}  // namespace intarsia
