#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "intarsia/cover/reduced_costs.hpp"

namespace intarsia {

enum class Fixed : std::int8_t { kOut = -1, kFree = 0, kIn = 1 };

/// Reduced-cost fixing. `bound` is the Lagrangian value at these reduced costs. A column is out (in) when
/// every cover that takes (leaves) it costs more than `upper_bound`; covers that cost exactly that are kept.
/// Rounding is taken relative to `upper_bound` or to `magnitude`, whichever is larger.
std::vector<std::int8_t> fix_columns(std::span<const double> reduced_costs, double bound, double upper_bound,
                                     CountRange counts, double magnitude = 0.0);

}  // namespace intarsia
