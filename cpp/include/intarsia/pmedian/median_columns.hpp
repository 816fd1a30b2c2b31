#pragma once

#include <span>
#include <vector>

#include "intarsia/common/size_limits.hpp"
#include "intarsia/pmedian/column_median.hpp"
#include "intarsia/pool/column_pool.hpp"

namespace intarsia {

/// The median of each cluster of a partition and what the cluster costs; no cluster is empty.
struct ClusterMedians {
    std::vector<Point> medians;
    std::vector<double> costs;
};
ClusterMedians cluster_medians(const Space& space, std::span<const Label> labels, Index k);

/// Adds the clusters of a partition, their cost computed where a column is new. Returns k ids, kAbsent for a
/// cluster that is empty or outside the size limits.
std::vector<Index> add_median_clusters(ColumnPool& pool, const Space& space, std::span<const Label> labels,
                                       Index k, std::int32_t origin, const SizeLimits& sizes);

/// Turns chosen columns into a partition with as many clusters, none empty: a point in several columns stays
/// in the one with the nearest median, one in none joins the nearest, ties to the earlier column; then each
/// emptied column takes a point of its own, or any, that costs most where it is.
std::vector<Label> remove_median_duplicates(const Columns& columns, std::span<const Index> chosen,
                                            const Space& space);

/// Adds each cluster, and it with its 1..tau points added that are nearest to its median and with its 1..tau
/// farthest members dropped, ties to the lower point. Returns how many columns are new.
Index expand_medians(ColumnPool& pool, const Space& space, std::span<const Label> labels, Index k, Index tau,
                     const SizeLimits& sizes, std::int32_t origin);

}  // namespace intarsia
