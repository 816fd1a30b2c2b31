#pragma once

#include <vector>

#include "intarsia/common/deadline.hpp"
#include "intarsia/common/rng.hpp"
#include "intarsia/common/weighted_points.hpp"

namespace intarsia {

/// Local search on the starts of k-means++ (Lattanzi and Sohler 2019): n_swaps times a point is drawn by its
/// weighted squared distance to the nearest start, and takes the place of the start that is missed least, if
/// the sum of these distances falls. After so many seconds the starts stay as they are.
template <class T>
void swap_starts(const WeightedPointsOf<T>& points, std::vector<Index>& starts, Index n_swaps, Rng& rng,
                 int n_threads, double seconds = kNoLimit);

}  // namespace intarsia
