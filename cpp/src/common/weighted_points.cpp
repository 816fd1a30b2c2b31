#include "intarsia/common/weighted_points.hpp"

#include <algorithm>
#include <string>

#include "intarsia/common/error.hpp"

namespace intarsia {

void check_weight_count(std::span<const double> weights, Index n_points) {
    if (weights.empty() || std::ssize(weights) == n_points) return;
    throw InvalidInput("got " + std::to_string(weights.size()) + " weights, need one for each of " +
                       std::to_string(n_points) + " points.");
}

void check_points(const WeightedPoints& points, Index n_points) {
    if (points.n_points() != n_points) {
        throw InvalidInput("X has " + std::to_string(points.n_points()) + " rows, expected " +
                           std::to_string(n_points) + ".");
    }
    check_weight_count(points.weights, n_points);
    if (std::ranges::any_of(points.weights, [](double w) { return !(w > 0); })) {
        throw InvalidInput("weights should be positive.");
    }
}

}  // namespace intarsia
