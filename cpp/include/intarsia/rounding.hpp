#pragma once

#include <span>
#include <vector>

#include "intarsia/columns.hpp"
#include "intarsia/rng.hpp"

namespace intarsia {

struct RoundingOptions {
    double noise = 0.2;           // in units of the mean cost of a column that the relaxation takes
    double candidate_factor = 6;  // columns considered, as a multiple of k
};

/// Greedy choice of exactly k distinct columns: always the one whose cost, less the multipliers of the
/// points it newly covers, plus noise, is least. Points may stay uncovered: a heuristic start, not a cover.
std::vector<Index> round_lagrangian(const Columns& columns, Index k, std::span<const double> multipliers,
                                    std::span<const double> reduced_costs, const RoundingOptions& options,
                                    Rng rng);

}  // namespace intarsia
