#pragma once

#include "intarsia/common/types.hpp"

namespace intarsia {

/// Half the Bayesian information criterion of spherical Gaussians, as a sum over clusters of points.
struct BicModel {
    double n_points = 1;
    double n_dims = 1;
    /// One for all clusters; 0: each cluster has its own.
    double variance = 0;
    /// No variance is less: a cluster of equal points would cost minus infinity.
    double least_variance = 0;
};

/// What a cluster of so many points with this sum of squares costs: minus the logarithm of its points'
/// likelihood, and half the logarithm of n_points for each parameter (share, centre and, unless pooled,
/// variance).
double bic_cost(const BicModel& model, Index size, double sum_of_squares);

}  // namespace intarsia
