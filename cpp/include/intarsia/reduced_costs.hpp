#pragma once

#include <span>
#include <vector>

#include "intarsia/columns.hpp"

namespace intarsia {

/// r_j = c_j - sum of the multipliers of the members of j, for all columns.
void price_columns(const Columns& columns, std::span<const double> multipliers, int n_threads,
                   std::span<double> reduced_costs);

/// sum(u) + the sum of the k smallest reduced costs: a lower bound on every cover by k columns.
double lagrangian_value(std::span<const double> multipliers, std::span<const double> reduced_costs, Index k);

/// Positions of the `count` smallest values, ascending; among equals at the edge the lower positions.
/// Both buffers are overwritten, so that a caller in a loop allocates once.
void smallest_positions(std::span<const double> values, Index count, std::vector<double>& scratch,
                        std::vector<Index>& positions);

/// Throws unless 1 <= k <= n_columns.
void check_cardinality(Index k, Index n_columns);

}  // namespace intarsia
