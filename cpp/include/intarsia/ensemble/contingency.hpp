#pragma once

#include <span>
#include <vector>

#include "intarsia/common/types.hpp"

namespace intarsia {

/// The cells of a contingency table that are not zero, by row, then by column.
struct Contingency {
    std::vector<Label> rows;
    std::vector<Label> cols;
    std::vector<double> counts;
};

/// How many points (or how much weight) have label i in a and j in b. A point that is missing in either is
/// left out; `weights` may be empty (all one). Small tables are counted in parallel, large ones by sorting.
Contingency contingency(std::span<const Label> a, std::span<const Label> b, std::span<const double> weights,
                        Index n_a, Index n_b, int n_threads);

/// Mutual information (in nats) that two partitions with these cluster sizes have by chance on average, all
/// arrangements of the points being equally likely. Equal sizes are worked out once.
double expected_mutual_information(std::span<const Index> sizes_a, std::span<const Index> sizes_b);

}  // namespace intarsia
