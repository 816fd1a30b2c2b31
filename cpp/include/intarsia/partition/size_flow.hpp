#pragma once

#include <functional>
#include <vector>

#include "intarsia/common/size_limits.hpp"
#include "intarsia/common/types.hpp"

namespace intarsia {

/// Who is assigned to whom, and what each assignment costs: asked for a row at a time, never all at once.
struct AssignmentCosts {
    Index n_points;
    Index n_clusters;
    /// Writes what point i costs in each cluster.
    std::function<void(Index i, double* row)> row;
};

/// The cheapest assignment of points to clusters that keeps the size limits.
///
/// A minimum-cost flow: points start at their cheapest cluster, and the shortest chains of moves empty the
/// clusters that are too large and fill those that are too small. Each point has a few candidates, its
/// cheapest clusters; when the flow is found, the prices tell which others could make it cheaper: these
/// join, until there are none. `prices` has an entry for each cluster and one more: any will do, those that a
/// similar problem left behind save most of the work. Takes a few passes over all costs and memory for the
/// candidates alone. Nothing is returned when `is_late` says yes meanwhile.
std::vector<Label> assign_within_sizes(const AssignmentCosts& costs, SizeLimits sizes,
                                       std::vector<double>& prices,
                                       const std::function<bool()>& is_late = {});

}  // namespace intarsia
