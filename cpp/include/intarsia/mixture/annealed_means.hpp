#pragma once

#include <span>
#include <vector>

#include "intarsia/common/weighted_points.hpp"

namespace intarsia {

/// What each centre has of the points when they spread over centres by share * exp(-squared distance / t).
struct AnnealedMoments {
    std::vector<double> mass;      // k
    std::vector<double> sums;      // k x d
    std::vector<double> products;  // k x d x d, about the centres; empty unless asked for
};

/// One pass over the points, n k d operations; shares below e^-37 of a point's largest are left out.
AnnealedMoments annealed_moments(const WeightedPoints& points, MatrixView<const double> centres,
                                 std::span<const double> shares, double temperature, bool with_products,
                                 int n_threads);

}  // namespace intarsia
