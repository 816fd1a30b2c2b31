#pragma once

#include <vector>

#include "intarsia/common/weighted_points.hpp"

namespace intarsia {

struct FuzzyOptions {
    /// The exponent m > 1: near 1 memberships are nearly hard.
    double fuzziness = 2;
    Index max_iter = 300;
    /// Stop when the summed squared centre shifts fall to this.
    double shift_limit = 0;
    int n_threads = 1;
};

struct FuzzyResult {
    std::vector<double> centres;  // k x d
    /// sum over points and clusters of weight * membership^m * squared distance, for these centres.
    double objective = 0;
    Index n_iter = 0;
    bool converged = false;
};

/// Fuzzy c-means from the given centres: memberships proportional to distance^(-2 / (m - 1)), centres the
/// means under membership^m. One pass over the points an iteration.
template <class T>
FuzzyResult fuzzy_c_means(const WeightedPointsOf<T>& points, MatrixView<const double> start,
                          const FuzzyOptions& options);

/// Writes the memberships (n x k) of every point for given centres.
template <class T>
void fuzzy_memberships(MatrixView<const T> x, MatrixView<const double> centres, double fuzziness,
                       int n_threads, MatrixView<double> out);

}  // namespace intarsia
