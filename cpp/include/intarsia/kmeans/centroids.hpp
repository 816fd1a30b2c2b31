#pragma once

#include <span>

#include "intarsia/common/label_groups.hpp"
#include "intarsia/common/weighted_points.hpp"

namespace intarsia {

/// Writes the weighted mean of each cluster flagged in `stale` into `centres`; a cluster without weight keeps
/// its centre. Sums run over members in point order in fixed blocks: the same bits for any number of threads.
template <class T>
void update_centroids(const WeightedPointsOf<T>& points, const Groups& clusters, std::span<const char> stale,
                      int n_threads, MatrixView<double> centres);

}  // namespace intarsia
