#pragma once

#include <vector>

#include "intarsia/common/deadline.hpp"
#include "intarsia/common/weighted_points.hpp"

namespace intarsia {

struct KMeansOptions {
    Index max_iter = 1000;
    /// Stop when the summed squared centre shifts fall to tol * mean feature variance; 0: until no label
    /// changes.
    double tol = 0;
    int n_threads = 1;
    /// No iteration starts after so many seconds; infinite in reproducible runs.
    double seconds = kNoLimit;
};

struct KMeansResult {
    std::vector<Label> labels;
    std::vector<double> centres;
    double inertia = 0;
    Index n_iter = 0;
    bool converged = false;
};

/// Lloyd's algorithm from the given centres. A cluster that becomes empty takes the point that costs most
/// where it is (weight times squared distance, ties to the lowest index) from a cluster with at least two
/// points.
template <class T>
KMeansResult kmeans(const WeightedPointsOf<T>& points, MatrixView<const double> start,
                    const KMeansOptions& options);

/// Nearest centre of every point (ties to the lowest index) and the weighted sum of squared distances.
template <class T>
KMeansResult assign_to_centres(const WeightedPointsOf<T>& points, MatrixView<const double> centres,
                               int n_threads);

}  // namespace intarsia
