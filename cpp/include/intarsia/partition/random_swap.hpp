#pragma once

#include <functional>

#include "intarsia/common/rng.hpp"
#include "intarsia/partition/hartigan.hpp"

namespace intarsia {

struct SwapCounts {
    Index tried = 0;
    Index kept = 0;
};

/// Told of every repaired trial before it is kept or undone; `partition.touched()` names the clusters it
/// changed.
using SwapObserver = std::function<void(const Hartigan& partition, double cost_before)>;

/// Tries a swap that size limits leave no simple way for: cluster c to a point. Returns whether it was kept.
using HardSwap = std::function<bool(Hartigan& partition, Label c, Index point)>;

/// Random swap on a partition at a local optimum: of some random clusters (2 to 16, in turn) the one that is
/// cheapest to dissolve is moved to a point of another cluster (drawn evenly, every second time by what it
/// costs), repaired by incremental single-point moves and kept if the cost falls. `stop` is asked before each
/// trial.
SwapCounts random_swaps(Hartigan& partition, Index n_swaps, Rng& rng, const SwapObserver& observer = {},
                        const std::function<bool()>& stop = {}, const HardSwap& hard_swap = {});

}  // namespace intarsia
