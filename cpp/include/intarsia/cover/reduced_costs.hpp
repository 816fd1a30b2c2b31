#pragma once

#include <span>
#include <vector>

#include "intarsia/pool/columns.hpp"

namespace intarsia {

/// r_j = c_j - sum of the multipliers of the members of j, for all columns.
void price_columns(const Columns& columns, std::span<const double> multipliers, int n_threads,
                   std::span<double> reduced_costs);

/// How many columns a cover may take, both ends included.
struct CountRange {
    Index least;
    Index most;
};

/// Throws unless 1 <= least <= most and there are `least` columns.
void check_counts(CountRange counts, Index n_columns);

/// The number of columns that is cheapest by these reduced costs: as many as are negative, within the range.
Index cheapest_count(std::span<const double> reduced_costs, CountRange counts);

/// sum(u) + the least sum of reduced costs of so many columns: a lower bound on every cover within the range.
double lagrangian_value(std::span<const double> multipliers, std::span<const double> reduced_costs,
                        CountRange counts);

/// Positions of the `count` smallest values, ascending; among equals at the edge the lower positions.
/// Both buffers are overwritten, so that a caller in a loop allocates once.
void smallest_positions(std::span<const double> values, Index count, std::vector<double>& scratch,
                        std::vector<Index>& positions);

}  // namespace intarsia
