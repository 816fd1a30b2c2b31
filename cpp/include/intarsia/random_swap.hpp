#pragma once

#include "intarsia/hartigan.hpp"
#include "intarsia/rng.hpp"

namespace intarsia {

struct SwapCounts {
    Index tried = 0;
    Index kept = 0;
};

/// Random swap on a partition at a local optimum: a random cluster is moved to a random point of another
/// cluster (half of the time drawn by its squared distance to its centre), repaired by incremental
/// single-point moves and kept if the cost falls.
SwapCounts random_swaps(Hartigan& partition, Index n_swaps, Rng& rng);

}  // namespace intarsia
