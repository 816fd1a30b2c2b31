#pragma once

#include <limits>
#include <span>
#include <vector>

#include "intarsia/common/rng.hpp"
#include "intarsia/common/size_limits.hpp"
#include "intarsia/criteria/entropy.hpp"
#include "intarsia/pool/column_pool.hpp"

namespace intarsia {

struct EntropySearchOptions {
    Index n_swaps = 1000;
    /// No trial starts after so many neighbours were looked at.
    double max_work = std::numeric_limits<double>::infinity();
    /// The search ends when the later half of its work has lowered the entropy, the cost less what one
    /// cluster of all points costs, by less than this share; asked after every doubling of that work.
    double least_gain = 0.0;
    /// No trial starts after so many seconds; infinite in reproducible runs.
    double seconds = std::numeric_limits<double>::infinity();
    SizeLimits sizes;
};

struct EntropySearchResult {
    std::vector<Label> labels;
    double start_cost = 0;  // of the local optimum that the swaps began from
    double work = 0;        // neighbours looked at
    ColumnPool columns;     // the clusters that good trials changed, with their costs
};

/// Single moves, then swaps: a cluster on a border is closed, one is opened around a random point, and moves
/// follow; kept if the cost falls.
EntropySearchResult entropy_swap_search(const StructuralEntropy& entropy, std::span<const Label> labels,
                                        Index k, const EntropySearchOptions& options, Rng& rng);

}  // namespace intarsia
