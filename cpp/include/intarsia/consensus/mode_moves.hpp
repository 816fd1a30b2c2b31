#pragma once

#include <span>
#include <vector>

#include "intarsia/consensus/label_lloyd.hpp"

namespace intarsia {

/// Moves single rows between clusters while that lowers the k-modes cost, counting how both clusters' modes
/// change, until no move of a whole sweep helps or `max_iter` sweeps are done. Never empties a cluster.
/// Returns the cost, computed afresh.
double improve_modes(const LabelProblem& problem, std::span<const double> member_weights,
                     std::vector<Label>& labels);

}  // namespace intarsia
