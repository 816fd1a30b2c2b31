#pragma once

#include <cmath>
#include <string_view>

#include "intarsia/common/error.hpp"
#include "intarsia/common/weighted_points.hpp"

namespace intarsia {

/// How far two points are from each other. Cosine expects rows of length 1; of a precomputed matrix the rows
/// are the points.
enum class Metric { kEuclidean, kSquared, kCosine, kManhattan, kPrecomputed };

Metric metric_of(std::string_view name);

/// Points, how much each counts, and how distances between them are measured: computed when asked for.
struct Space {
    WeightedPoints points;
    Metric metric;

    Index n_points() const { return points.n_points(); }
    double weight(Index i) const { return points.weight(i); }
};

/// Throws InvalidInput unless weights fit the points and a precomputed matrix is square.
void check_space(const Space& space);

/// Each kind of distance has a `raw` form, which is enough to tell the nearer of two, and its `value`. Where
/// kTriangle is set the `length` of a raw distance keeps the triangle inequality; `raw_of` is the way back.
template <Index kDims>
struct EuclideanDistance {
    static constexpr bool kTriangle = true, kSquares = false;
    const double* x;
    Index n_dims;

    double raw(Index i, Index j) const {
        const double *a = x + i * dims(), *b = x + j * dims();
        double sum = 0;
        for (Index f = 0; f < dims(); ++f) sum += (a[f] - b[f]) * (a[f] - b[f]);
        return sum;
    }
    double value(double raw) const { return std::sqrt(raw); }
    double length(double raw) const { return std::sqrt(raw); }
    double raw_of(double length) const { return length * length; }

  private:
    Index dims() const { return kDims > 0 ? kDims : n_dims; }
};

/// The squares of the former, times a factor: a half of them is the cosine distance of rows of length 1.
template <Index kDims>
struct SquaredDistance : EuclideanDistance<kDims> {
    static constexpr bool kSquares = true;
    double factor;

    double value(double raw) const { return factor * raw; }
};

struct ManhattanDistance {
    static constexpr bool kTriangle = true, kSquares = false;
    const double* x;
    Index n_dims;

    double raw(Index i, Index j) const {
        double sum = 0;
        for (Index f = 0; f < n_dims; ++f) sum += std::abs(x[i * n_dims + f] - x[j * n_dims + f]);
        return sum;
    }
    double value(double raw) const { return raw; }
    double length(double raw) const { return raw; }
    double raw_of(double length) const { return length; }
};

/// Symmetric: the second point's row is read, which those who ask keep the same for many first ones.
struct GivenDistance {
    static constexpr bool kTriangle = false, kSquares = false;
    const double* matrix;
    Index n_points;

    double raw(Index i, Index j) const { return matrix[j * n_points + i]; }
    double value(double raw) const { return raw; }
    double length(double raw) const { return raw; }
    double raw_of(double length) const { return length; }
};

/// Calls fn with the space's kind of distance, so that its loops are compiled for each.
template <class Fn>
auto with_distance(const Space& space, Fn&& fn) {
    const double* x = space.points.x.data();
    const Index d = space.points.n_dims();
    const double factor = space.metric == Metric::kCosine ? 0.5 : 1.0;
    switch (space.metric) {
        case Metric::kEuclidean:
            return d == 2 ? fn(EuclideanDistance<2>{x, d}) : fn(EuclideanDistance<0>{x, d});
        case Metric::kManhattan:
            return fn(ManhattanDistance{x, d});
        case Metric::kPrecomputed:
            return fn(GivenDistance{x, d});
        default:
            return fn(SquaredDistance<0>{{x, d}, factor});
    }
}

}  // namespace intarsia
