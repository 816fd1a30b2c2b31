#pragma once

#include <span>

#include "intarsia/pmedian/metric.hpp"

namespace intarsia {

/// The point, of all there are, to which some points have the least weighted sum of distances, and that sum.
struct ColumnMedian {
    Point median;
    double cost;
};

/// The members' median: sums in member order, so that equal columns cost the same bits. Of equal sums a
/// member's comes first, then the lowest point's. The members are ascending and not empty. A `hint` near the
/// median saves time and changes nothing; -1 is none.
ColumnMedian column_median(const Space& space, std::span<const Point> members, Point hint = -1);

}  // namespace intarsia
