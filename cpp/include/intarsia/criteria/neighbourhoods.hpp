#pragma once

#include <span>
#include <vector>

#include "intarsia/common/label_groups.hpp"
#include "intarsia/common/types.hpp"

namespace intarsia {

/// Which points are around each point, itself one of them, and around whom each point is. Holds both lists.
class Neighbourhoods {
  public:
    /// Row i is ids[offsets[i] .. offsets[i + 1]): ascending, and i is among them.
    Neighbourhoods(std::span<const Index> offsets, std::span<const Point> ids);

    Index n_points() const { return std::ssize(around_.offsets) - 1; }
    Index n_entries() const { return std::ssize(around_.members); }

    std::span<const Point> around(Point i) const { return around_[i]; }
    /// Those that have the point around them, ascending.
    std::span<const Point> holders(Point i) const { return holders_[i]; }

    const Groups& rows() const { return around_; }

  private:
    Groups around_, holders_;
};

}  // namespace intarsia
