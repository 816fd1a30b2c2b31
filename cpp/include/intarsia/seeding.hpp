#pragma once

#include <span>
#include <vector>

#include "intarsia/rng.hpp"
#include "intarsia/types.hpp"

namespace intarsia {

/// k random points of positive weight with different coordinates, every set equally likely when no points
/// coincide.
template <class T>
std::vector<Index> random_points(MatrixView<const T> x, std::span<const double> weights, Index k, Rng& rng);

/// Greedy k-means++: each next point is the best of 2 + floor(ln k) candidates drawn by weighted squared
/// distance.
template <class T>
std::vector<Index> kmeans_plus_plus(MatrixView<const T> x, std::span<const double> weights, Index k, Rng& rng,
                                    int n_threads);

}  // namespace intarsia
