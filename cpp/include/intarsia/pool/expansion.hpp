#pragma once

#include <span>

#include "intarsia/pool/column_cost.hpp"
#include "intarsia/pool/column_pool.hpp"

namespace intarsia {

/// Adds to the pool, for each cluster of the partition, the cluster itself and up to 2 tau nested columns:
/// with its 1..tau nearest non-members added, and with its 1..tau farthest members dropped (distance to the
/// cluster's mean, ties to the lower point first). Columns outside the size limits are left out. Returns how
/// many are new.
Index expand_partition(ColumnPool& pool, const WeightedPoints& points, std::span<const Label> labels, Index k,
                       Index tau, const SizeLimits& sizes, std::int32_t origin, int n_threads);

}  // namespace intarsia
