#pragma once

#include <limits>

#include "intarsia/common/types.hpp"

namespace intarsia {

/// How many points a cluster may have: from `least` to `most`, never none.
struct SizeLimits {
    Index least = 1;
    Index most = std::numeric_limits<Index>::max();

    bool allow(Index size) const { return size >= least && size <= most && size > 0; }
};

}  // namespace intarsia
