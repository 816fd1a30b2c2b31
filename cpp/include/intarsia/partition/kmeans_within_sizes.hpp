#pragma once

#include <functional>
#include <vector>

#include "intarsia/common/size_limits.hpp"
#include "intarsia/common/weighted_points.hpp"

namespace intarsia {

/// k-means whose clusters keep the size limits: the cheapest assignments that do alternate with means, from
/// given centres, until the cost falls no more, after `max_flows` of them, or when `is_late` says so: before
/// the first is found there are no labels.
std::vector<Label> kmeans_within_sizes(const WeightedPoints& points, MatrixView<const double> start,
                                       SizeLimits sizes, Index max_flows,
                                       const std::function<bool()>& is_late = {});

}  // namespace intarsia
