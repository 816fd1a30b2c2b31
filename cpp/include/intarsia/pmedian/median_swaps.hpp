#pragma once

#include <functional>
#include <span>
#include <vector>

#include "intarsia/common/deadline.hpp"
#include "intarsia/common/rng.hpp"
#include "intarsia/pmedian/metric.hpp"

namespace intarsia {

/// k different points drawn at random; greedily, each next one is the best of a few that are drawn by their
/// weighted distance to the nearest so far.
std::vector<Point> draw_medians(const Space& space, Index k, bool greedy, Rng& rng);

/// Medians, the nearest of them to each point (a median serves itself, other ties go to the lower number),
/// what that costs, and how many distances were looked at.
struct MedianFit {
    std::vector<Point> medians;
    std::vector<Label> labels;
    double cost = 0;
    double work = 0;
};

/// Replaces one median at a time as long as that lowers the cost: every point is tried against the best
/// median to go, and taken at once where it pays (FasterPAM). After so many seconds it ends where it is.
MedianFit swap_medians(const Space& space, std::span<const Point> medians, double seconds = kNoLimit);

/// The medians of the clusters of a partition, made different from each other, as a start.
std::vector<Point> medians_of(const Space& space, std::span<const Label> labels, Index k);

}  // namespace intarsia
