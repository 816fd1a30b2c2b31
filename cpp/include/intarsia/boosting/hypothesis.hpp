#pragma once

#include <span>
#include <vector>

#include "intarsia/common/types.hpp"

namespace intarsia {

/// What is wrong with every point by its memberships: 1 - the largest + the smallest.
std::vector<double> minmax_quality(MatrixView<const double> memberships, int n_threads);

/// The entropy of the memberships of every point, in logarithms of base exp(log_base); 0 log 0 is 0.
std::vector<double> entropy_quality(MatrixView<const double> memberships, double log_base, int n_threads);

/// votes[i, names[c]] += weight * memberships[i, c]; returns who leads then: the column of most votes of
/// every row, the first of equal ones.
std::vector<Label> add_votes(MatrixView<double> votes, MatrixView<const double> memberships,
                             std::span<const Label> names, double weight, int n_threads);

/// The column of the largest value of every row, the first of equal ones.
std::vector<Label> largest_columns(MatrixView<const double> rows, int n_threads);

}  // namespace intarsia
