#pragma once

#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "intarsia/partition/hartigan.hpp"
#include "intarsia/partition/random_swap.hpp"
#include "intarsia/pool/column_cost.hpp"

namespace intarsia {

struct SwapSearchOptions {
    Index n_swaps = 1000;
    /// Clusters of a trial are collected when it ends at most this many mean cluster costs above where it
    /// began.
    double keep_within = 1.0;
    /// No trial starts after so many distances were looked at.
    double max_work = std::numeric_limits<double>::infinity();
    /// The search ends when the later half of its work has lowered the cost by less than this share; asked
    /// after every doubling of work and trials, first after ten distances for each point and cluster and a
    /// trial for each cluster: in many dimensions a trial takes long.
    double least_gain = 0.0;
    /// No trial starts after so many seconds; infinite in reproducible runs.
    double seconds = std::numeric_limits<double>::infinity();
    SizeLimits sizes;
    /// Swaps that the size limits leave no simple way for are made by flows, which take long: at most so
    /// many.
    Index n_flow_swaps = 0;
    /// Asked now and then: once yes, no trial starts and what is there is returned.
    std::function<bool()> is_unwanted = {};
};

struct SwapSearchResult {
    std::vector<Label> labels;
    SwapCounts counts;
    double work = 0;        // distances looked at
    double start_cost = 0;  // of the local optimum that the swaps began from
    double cost = 0;
    ColumnPool columns;  // the clusters that good trials changed, with their costs
};

/// Local search and random swaps from a partition; what the trials made is collected for a cover to
/// recombine.
SwapSearchResult swap_search(const WeightedPoints& points, std::span<const Label> labels, Index k,
                             const SwapSearchOptions& options, Rng& rng);

}  // namespace intarsia
