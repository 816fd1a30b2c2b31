#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "intarsia/types.hpp"

namespace intarsia {

enum class Fixed : std::int8_t { kOut = -1, kFree = 0, kIn = 1 };

/// Reduced-cost fixing under "exactly k columns". `bound` is the Lagrangian value at these reduced costs.
/// A column is out (in) when every cover that takes (leaves) it costs more than `upper_bound`;
/// covers that cost exactly `upper_bound` are kept.
std::vector<std::int8_t> fix_columns(std::span<const double> reduced_costs, double bound, double upper_bound,
                                     Index k);

}  // namespace intarsia
