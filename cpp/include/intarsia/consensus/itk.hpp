#pragma once

#include <span>

#include "intarsia/consensus/label_lloyd.hpp"

namespace intarsia {

/// Information-theoretic k-means from a partition of the rows. A row is the distribution over all clusters of
/// all members that its known members give by their weights, mixed with `smoothing` of an even one (so that
/// no divergence is infinite and means stay exact); it costs its Kullback-Leibler divergence from the mean of
/// its cluster.
LabelRun itk(const LabelProblem& problem, std::span<const double> member_weights,
             std::span<const Label> start, double smoothing);

}  // namespace intarsia
