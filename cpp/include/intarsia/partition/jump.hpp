#pragma once

#include "intarsia/common/weighted_points.hpp"

namespace intarsia {

/// A point that a centre moves to, the centre, and by how much the sum of squares changes when every point
/// joins its nearest centre then.
struct Jump {
    Index point = -1;
    Label centre = kNoLabel;
    double change = 0;
};

/// The best of all jumps of one centre to a point (J-means); there is none, point -1, where all points lie on
/// centres or there is one centre alone. Clusters too far from a point for it to take anybody are passed
/// over.
Jump best_jump(const WeightedPoints& points, MatrixView<const double> centres, int n_threads);

}  // namespace intarsia
