#pragma once

#include <functional>
#include <vector>

#include "intarsia/common/size_limits.hpp"
#include "intarsia/common/weighted_points.hpp"

namespace intarsia {

/// The cheapest assignment of points to clusters that keeps the size limits; `costs` has a row for each
/// point.
///
/// A minimum-cost flow: points start at their cheapest cluster, and the shortest chains of moves empty the
/// clusters that are too large and fill those that are too small. Ties go to the lower index. `prices` has an
/// entry for each cluster and one more: any will do, those that a similar problem left behind save most of
/// the work.
std::vector<Label> assign_within_sizes(MatrixView<const double> costs, SizeLimits sizes,
                                       std::vector<double>& prices);

/// k-means whose clusters keep the size limits: such assignments alternate with means, from given centres,
/// until the cost falls no more, after `max_flows` of them, or when `is_late` says so; one is always made.
std::vector<Label> kmeans_within_sizes(const WeightedPoints& points, MatrixView<const double> start,
                                       SizeLimits sizes, Index max_flows,
                                       const std::function<bool()>& is_late = {});

}  // namespace intarsia
