#pragma once

#include <span>
#include <vector>

#include "intarsia/common/rng.hpp"
#include "intarsia/cover/reduced_costs.hpp"
#include "intarsia/pool/columns.hpp"

namespace intarsia {

struct RoundingOptions {
    double noise = 0.2;           // in units of the mean cost, without sign, of what the relaxation takes
    double candidate_factor = 6;  // columns considered, as a multiple of those that the relaxation takes
};

/// Greedy choice of distinct columns: always the one whose cost, less the multipliers of the points it newly
/// covers, plus noise, is least. Beyond the least number allowed it goes on while points are uncovered or
/// columns pay for themselves. Points may stay uncovered: a heuristic start, not a cover.
std::vector<Index> round_lagrangian(const Columns& columns, CountRange counts,
                                    std::span<const double> multipliers,
                                    std::span<const double> reduced_costs, const RoundingOptions& options,
                                    Rng rng);

}  // namespace intarsia
