#pragma once

#include <functional>
#include <vector>

#include "intarsia/column_cost.hpp"
#include "intarsia/hartigan.hpp"
#include "intarsia/types.hpp"

namespace intarsia {

/// The cheapest assignment of points to clusters that keeps the size bounds; `costs` has a row for each
/// point.
///
/// A minimum-cost flow: points start at their cheapest cluster, and the shortest chains of moves empty the
/// clusters that are too large and fill those that are too small. Ties go to the lower index.
std::vector<Label> assign_within_sizes(MatrixView<const double> costs, SizeBounds sizes);

/// k-means whose clusters keep the size bounds: such assignments alternate with means, from given centres,
/// until the cost falls no more, after `max_flows` of them, or when `is_late` says so; one is always made.
std::vector<Label> kmeans_within_sizes(const WeightedPoints& points, std::vector<double> centres, Index k,
                                       SizeBounds sizes, Index max_flows,
                                       const std::function<bool()>& is_late = {});

}  // namespace intarsia
