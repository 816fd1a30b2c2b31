#pragma once

#include <vector>

#include "intarsia/common/deadline.hpp"
#include "intarsia/common/rng.hpp"
#include "intarsia/common/weighted_points.hpp"

namespace intarsia {

/// k random points of positive weight with different coordinates, every set equally likely when no points
/// coincide.
template <class T>
std::vector<Index> random_points(const WeightedPointsOf<T>& points, Index k, Rng& rng);

/// Greedy k-means++: each next point is the best of 2 + floor(ln k) candidates drawn by weighted squared
/// distance. After so many seconds the rest are drawn by the distances known then.
template <class T>
std::vector<Index> kmeans_plus_plus(const WeightedPointsOf<T>& points, Index k, Rng& rng, int n_threads,
                                    double seconds = kNoLimit);

}  // namespace intarsia
