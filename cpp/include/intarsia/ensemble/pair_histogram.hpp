#pragma once

#include <span>
#include <vector>

#include "intarsia/common/types.hpp"

namespace intarsia {

/// Distinct label rows with the number of points each stands for; -1 is a missing label.
struct WeightedRows {
    MatrixView<const Label> labels;
    std::span<const double> member_weights;
    std::span<const double> point_weights;
};

/// Share of the members (by weight) knowing both rows that join them; 0 where no member knows both.
double coassociation(const WeightedRows& rows, Index i, Index j);

/// How many pairs of points have a co-association of at most thresholds[t], for every t (ascending). All
/// pairs, those within a row too: quadratic in the number of rows.
std::vector<double> pairs_up_to(const WeightedRows& rows, std::span<const double> thresholds, int n_threads);

/// The same for the given pairs of rows, each counted once.
std::vector<double> sampled_pairs_up_to(const WeightedRows& rows, std::span<const Index> first,
                                        std::span<const Index> second, std::span<const double> thresholds);

}  // namespace intarsia
