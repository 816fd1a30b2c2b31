#pragma once

#include <span>

#include "intarsia/label_lloyd.hpp"

namespace intarsia {

/// k-modes from a partition of the rows (by their labels): the cost of a row is the weight of the members
/// whose label is not the commonest one of its cluster; a missing label costs nothing. `refine` goes on with
/// single moves (see improve_modes).
LabelRun kmodes(const LabelProblem& problem, std::span<const double> member_weights,
                std::span<const Label> start, bool refine);

}  // namespace intarsia
