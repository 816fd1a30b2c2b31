#pragma once

#include <span>
#include <vector>

#include "intarsia/common/weighted_points.hpp"
#include "intarsia/mixture/gaussians.hpp"

namespace intarsia {

struct GmmOptions {
    Index max_iter = 100;
    /// Stop when the mean log-likelihood changes by less.
    double tol = 1e-3;
    /// Added to every variance.
    double reg_covar = 1e-6;
    int n_threads = 1;
};

struct GmmResult {
    Gaussians mixture;
    /// Weighted mean log-likelihood of the points under the parameters before the last update.
    double lower_bound = 0;
    Index n_iter = 0;
    bool converged = false;
};

/// The mixture that fits the given responsibilities (n x k) best.
template <class T>
Gaussians gmm_from_responsibilities(const WeightedPointsOf<T>& points,
                                    MatrixView<const double> responsibilities, Covariance type,
                                    const GmmOptions& options);

/// The mixture whose components are the k clusters of a partition.
template <class T>
Gaussians gmm_from_labels(const WeightedPointsOf<T>& points, std::span<const Label> labels, Index k,
                          Covariance type, const GmmOptions& options);

/// EM from the given mixture. Each iteration is one pass over the points; no n x k matrix is kept.
template <class T>
GmmResult gmm(const WeightedPointsOf<T>& points, const Gaussians& start, const GmmOptions& options);

struct GmmPosteriors {
    std::vector<double> responsibilities;  // n x k
    std::vector<double> log_likelihoods;   // n
};

/// Responsibilities and log-likelihood of every point.
template <class T>
GmmPosteriors gmm_posteriors(MatrixView<const T> x, const Gaussians& mixture, int n_threads);

}  // namespace intarsia
