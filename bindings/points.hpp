#pragma once

#include <limits>
#include <optional>
#include <span>

#include "arrays.hpp"
#include "intarsia/column_cost.hpp"

namespace intarsia::python {

inline constexpr Index kNoLimit = std::numeric_limits<Index>::max();

/// Weights as Python gives them: an array or None.
using Weights = std::optional<Array<double>>;

inline WeightedPoints weighted(const Array<double>& x, const Weights& weights) {
    return {matrix(x), weights ? vector(*weights) : std::span<const double>{}};
}

inline void check_ids(std::span<const Point> ids, Index n_points) {
    if (ids.empty()) throw InvalidInput("a column should have at least one member.");
    for (Point i : ids) {
        if (i < 0 || i >= n_points) throw InvalidInput("members should be in [0, n_points).");
    }
}

}  // namespace intarsia::python
