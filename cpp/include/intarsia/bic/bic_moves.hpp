#pragma once

#include <span>
#include <utility>
#include <vector>

#include "intarsia/bic/bic_cost.hpp"
#include "intarsia/common/size_limits.hpp"
#include "intarsia/common/weighted_points.hpp"

namespace intarsia {

/// Single points move to the cluster where they cost least, become clusters of their own or leave one, and
/// two clusters merge, as long as that lowers the criterion and keeps the number of clusters within `counts`
/// and their sizes within the limits. Weights are not looked at. The clusters are numbered without gaps.
std::vector<Label> bic_moves(MatrixView<const double> x, std::span<const Label> labels, Index k,
                             const BicModel& model, std::pair<Index, Index> counts, const SizeLimits& sizes);

}  // namespace intarsia
