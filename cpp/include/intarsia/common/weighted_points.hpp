#pragma once

#include <span>

#include "intarsia/common/types.hpp"

namespace intarsia {

/// Points and how much each of them counts; without weights every point counts once.
template <class T>
struct WeightedPointsOf {
    MatrixView<const T> x;
    std::span<const double> weights = {};

    Index n_points() const { return x.n_rows(); }
    Index n_dims() const { return x.n_cols(); }
    const T* row(Index i) const { return x.row(i); }
    double weight(Index i) const { return weights.empty() ? 1.0 : weights[static_cast<std::size_t>(i)]; }
};

/// What everything beyond Lloyd's algorithm and the mixtures works in.
using WeightedPoints = WeightedPointsOf<double>;

/// Throws InvalidInput unless weights, if any, are as many as the points.
void check_weight_count(std::span<const double> weights, Index n_points);

/// Throws unless the matrix has n_points rows and the weights, if any, one positive entry each.
void check_points(const WeightedPoints& points, Index n_points);

}  // namespace intarsia
