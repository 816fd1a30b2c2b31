#pragma once

#include <span>
#include <vector>

#include "intarsia/pool/column_cost.hpp"
#include "intarsia/pool/columns.hpp"

namespace intarsia {

/// Turns chosen columns into a partition with exactly chosen.size() clusters, none empty.
/// In point order, a point in several columns stays in the one with the nearest centre (ties to the earlier
/// column) and the others' centres are updated at once; then uncovered points join the nearest centre as it
/// stands; then each emptied column, in order, takes the point that costs most where it is.
std::vector<Label> remove_duplicates(const Columns& columns, std::span<const Index> chosen,
                                     const WeightedPoints& points);

}  // namespace intarsia
