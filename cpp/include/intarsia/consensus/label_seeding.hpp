#pragma once

#include <span>
#include <vector>

#include "intarsia/common/rng.hpp"
#include "intarsia/consensus/label_lloyd.hpp"

namespace intarsia {

/// k rows that differ much: greedy k-means++ under the weighted number of members in which two rows have
/// different labels (missing labels differ from nothing).
std::vector<Index> seed_rows(const LabelProblem& problem, std::span<const double> member_weights, Rng& rng);

/// For every row the given labels (one row a cluster) it agrees with in most members; ties to the lowest
/// index.
std::vector<Label> nearest_modes(const LabelProblem& problem, std::span<const double> member_weights,
                                 MatrixView<const Label> modes);

}  // namespace intarsia
