#pragma once

#include <span>

#include "intarsia/consensus/label_lloyd.hpp"

namespace intarsia {

/// k-means from a partition of the rows in the space of centred label indicators (quadratic mutual
/// information), each member's squared distances times its weight. Never builds the indicators: distances are
/// sums over slots. A missing label lies at its member's mean.
LabelRun qmi(const LabelProblem& problem, std::span<const double> member_weights,
             std::span<const Label> start);

}  // namespace intarsia
