#pragma once

#include <span>
#include <vector>

#include "intarsia/common/size_limits.hpp"
#include "intarsia/criteria/entropy.hpp"
#include "intarsia/pool/column_pool.hpp"

namespace intarsia {

/// Adds the clusters of a partition with their costs. Returns k ids; ColumnPool::kAbsent for a cluster that
/// is empty or outside the size limits.
std::vector<Index> add_entropy_clusters(ColumnPool& pool, const StructuralEntropy& entropy,
                                        std::span<const Label> labels, Index k, std::int32_t origin,
                                        const SizeLimits& sizes);

/// Turns chosen columns into a partition with as many clusters, none empty, as `remove_duplicates` of the
/// sum of squares does; the distance of a point to a cluster is what the cluster costs more with it. An
/// emptied column takes back one of its own points if one is to be had: that costs no more than the column.
std::vector<Label> remove_entropy_duplicates(const Columns& columns, std::span<const Index> chosen,
                                             const StructuralEntropy& entropy);

/// Adds each cluster of a partition alone, with the 1..tau points joined that cost it least, and without the
/// 1..tau members that cost it most (ties to the lower point). Columns outside the size limits are left out.
void expand_entropy_partition(ColumnPool& pool, const StructuralEntropy& entropy,
                              std::span<const Label> labels, Index k, Index tau, const SizeLimits& sizes,
                              std::int32_t origin, int n_threads);

}  // namespace intarsia
