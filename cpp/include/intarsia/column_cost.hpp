#pragma once

#include <limits>
#include <span>
#include <vector>

#include "intarsia/column_pool.hpp"
#include "intarsia/types.hpp"

namespace intarsia {

/// Data with optional weights (empty: every point counts once).
struct WeightedPoints {
    MatrixView<const double> x;
    std::span<const double> weights;

    double weight(Point i) const { return weights.empty() ? 1.0 : weights[static_cast<std::size_t>(i)]; }
};

/// Throws unless the matrix has n_points rows and the weights, if any, one positive entry each.
void check_points(const WeightedPoints& points, Index n_points);

/// Weighted mean of the members, summed in their order; returns the sum of their weights.
double column_mean(const WeightedPoints& points, std::span<const Point> members, std::span<double> mean);

/// Sum of squared distances to the mean: two passes in member order, so equal columns cost the same bits.
double column_sse(const WeightedPoints& points, std::span<const Point> members);

/// Which columns may enter a pool.
struct ColumnSizes {
    Index min_size = 1;
    Index max_size = std::numeric_limits<Index>::max();

    bool allow(Index size) const { return size >= min_size && size <= max_size && size > 0; }
};

/// Adds the clusters of a partition with their sum-of-squares cost, computed only where a column is new.
/// Returns k ids; ColumnPool::kAbsent for a cluster that is empty or out of bounds.
std::vector<Index> add_clusters(ColumnPool& pool, const WeightedPoints& points, std::span<const Label> labels,
                                Index k, std::int32_t origin, const ColumnSizes& bounds);

}  // namespace intarsia
