#pragma once

#include <numeric>
#include <utility>
#include <vector>

#include "intarsia/common/types.hpp"

namespace intarsia {

/// Sets of points that only ever merge; each is named by its lowest point.
class DisjointSets {
  public:
    explicit DisjointSets(Index n) : parent_(static_cast<std::size_t>(n)) {
        std::iota(parent_.begin(), parent_.end(), Point{0});
    }

    Point find(Point i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }

    /// Whether they were two sets until now.
    bool join(Point a, Point b) {
        a = find(a);
        b = find(b);
        if (a == b) return false;
        if (b < a) std::swap(a, b);
        parent_[b] = a;
        return true;
    }

  private:
    std::vector<Point> parent_;
};

}  // namespace intarsia
