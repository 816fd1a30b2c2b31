#pragma once

#include <limits>
#include <span>
#include <vector>

#include "intarsia/common/deadline.hpp"
#include "intarsia/common/rng.hpp"
#include "intarsia/pmedian/metric.hpp"
#include "intarsia/pool/column_pool.hpp"

namespace intarsia {

/// What ends a search by trials, whichever comes first; see SwapSearchOptions for the same of means.
struct MedianSearchOptions {
    Index n_trials = 1000;
    double max_work = std::numeric_limits<double>::infinity();
    double least_gain = 0.0;
    double seconds = kNoLimit;
    /// Clusters of a trial are collected when it ends at most so many mean cluster costs above where it
    /// began.
    double keep_within = 0.3;
};

struct MedianSearchResult {
    std::vector<Point> medians;
    std::vector<Label> labels;
    double start_cost = 0;  // of the local optimum that the trials began from
    double cost = 0;
    double work = 0;     // distances looked at
    ColumnPool columns;  // the clusters that good trials changed
};

/// Swaps to a local optimum, then trials: a median goes to a random point, those nearby are swapped until
/// none pays, and what is no better is undone. Ends in a local optimum.
MedianSearchResult median_search(const Space& space, std::span<const Point> medians,
                                 const MedianSearchOptions& options, Rng& rng);

}  // namespace intarsia
