#pragma once

#include <span>
#include <vector>

#include "intarsia/common/types.hpp"

namespace intarsia {

/// Weight of the points in both clusters, for each pair of input clusters: H' W H, columns x columns.
/// Labels of member q are -1 or in [0, offsets[q + 1] - offsets[q]). Each task owns one pair of members.
std::vector<double> cluster_overlap(MatrixView<const Label> labels, std::span<const Index> offsets,
                                    std::span<const double> point_weights, int n_threads);

/// Sum over the points of weight * s_a * s_b, for each pair of membership columns: S' W S.
std::vector<double> membership_gram(MatrixView<const double> memberships,
                                    std::span<const double> point_weights, int n_threads);

/// Sum over the points that member q does not know of weight * s_a^2: columns x members.
std::vector<double> unseen_squares(MatrixView<const double> memberships, MatrixView<const Label> labels,
                                   std::span<const double> point_weights);

}  // namespace intarsia
