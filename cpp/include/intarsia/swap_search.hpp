#pragma once

#include <limits>
#include <span>
#include <vector>

#include "intarsia/column_cost.hpp"
#include "intarsia/hartigan.hpp"
#include "intarsia/random_swap.hpp"

namespace intarsia {

struct SwapSearchOptions {
    Index n_swaps = 1000;
    /// Clusters of a trial are collected when it ends at most this many mean cluster costs above where it
    /// began.
    double keep_within = 1.0;
    /// No trial starts after so many seconds; infinite in reproducible runs.
    double seconds = std::numeric_limits<double>::infinity();
    SizeBounds sizes;
    /// Swaps that the size bounds leave no simple way for are made by flows, which take long: at most so
    /// many.
    Index n_flow_swaps = 0;
};

struct SwapSearchResult {
    std::vector<Label> labels;
    SwapCounts counts;
    ColumnPool columns;  // the clusters that good trials changed, with their costs
};

/// Local search and random swaps from a partition; what the trials made is collected for a cover to
/// recombine.
SwapSearchResult swap_search(const WeightedPoints& points, std::span<const Label> labels, Index k,
                             const SwapSearchOptions& options, Rng& rng);

}  // namespace intarsia
