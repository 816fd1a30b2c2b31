#pragma once

#include <span>
#include <vector>

#include "intarsia/common/size_limits.hpp"
#include "intarsia/common/types.hpp"
#include "intarsia/common/weighted_points.hpp"
#include "intarsia/pool/column_pool.hpp"

namespace intarsia {

/// Weighted mean of the members, summed in their order; returns the sum of their weights.
double column_mean(const WeightedPoints& points, std::span<const Point> members, std::span<double> mean);

/// Sum of squared distances to the mean: two passes in member order, so equal columns cost the same bits.
double column_sse(const WeightedPoints& points, std::span<const Point> members);

/// Adds the clusters of a partition with their sum-of-squares cost, computed only where a column is new.
/// Returns k ids; ColumnPool::kAbsent for a cluster that is empty or outside the size limits.
std::vector<Index> add_clusters(ColumnPool& pool, const WeightedPoints& points, std::span<const Label> labels,
                                Index k, std::int32_t origin, const SizeLimits& sizes);

}  // namespace intarsia
