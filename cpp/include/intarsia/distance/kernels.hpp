#pragma once

#include "intarsia/common/types.hpp"
#include "intarsia/distance/group_bounds.hpp"

namespace intarsia {

/// The nearest of a set of centres and how far the runner-up is (squared distances); ties to the lowest
/// position.
template <class T>
struct Nearest {
    Index position;
    T best;
    T second;
};

/// Lanes that reductions use on every instruction set, so that sums have the same bits everywhere.
inline constexpr Index kLanes = 8;
/// Centres and points stored by dimension are padded to a multiple of this: the widest vector.
inline constexpr Index kPad = 16;
/// Points in one group of the screening kernel.
inline constexpr Index kGroup = 4;
/// Boxes in one group, and points in one leaf, of the search for neighbours.
inline constexpr Index kBoxes = 8;
inline constexpr Index kLeaf = 16;

/// Centres laid out side by side, and most points in one call, of the kernel for few centres; points come in
/// multiples of kFewLanes.
inline constexpr Index kFewBlock = 4;
inline constexpr Index kFewPoints = 512;
inline constexpr Index kFewLanes = 32;
/// Clusters whose values a vector or two can hold.
inline constexpr Index kFewTable = 16;

/// Few centres as the kernel sees them, about an origin near the points.
struct FewCentres {
    const float* blocks;      // block b, dimension j, slot q: blocks[(b * n_dims + j) * kFewBlock + q]
    const float* half_norms;  // half the squared norm; infinite where there is no centre
    Index n_blocks;
    Index n_dims;
    float reach;  // no centre is farther from the origin
    float error;  // what rounding may add to a value, for points and centres of norm one
};

/// How far two points are: the sum of squared differences, of differences, or the largest difference.
enum class TreeMetric { kSquaredEuclidean, kManhattan, kChebyshev };
inline constexpr int kTreeMetrics = 3;

/// Distances by one metric, of the search for neighbours.
template <class T>
struct TreeKernels {
    /// out[b] = distance of x to box b of a group, stored [dim][lower kBoxes, upper kBoxes]: never more than
    /// that to a point inside. Returns a bit for each that is at most `limit`.
    unsigned (*boxes)(const T* x, Index n_dims, const T* group, T limit, T* out);
    /// out[i] = distance of x to point i of a leaf, stored [dim][kLeaf]; bits as above.
    unsigned (*leaf)(const T* x, Index n_dims, const T* points, T limit, T* out);
};

/// A query and a point of the panels that may be near it.
struct SieveHit {
    Point query;
    Point position;
};

/// The hot loops, compiled once for each instruction set. `centres` is stored by dimension: centres[j *
/// stride + c].
template <class T>
struct Kernels {
    /// Exact nearest centre of one point: every distance is the plain sum over dimensions of (x - c)^2.
    Nearest<T> (*nearest)(const T* x, Index n_dims, const T* centres, Index stride);
    /// out[c] = squared distance of x to centre c, for all `stride` columns.
    void (*distances)(const T* x, Index n_dims, const T* centres, Index stride, T* out);
    /// Smallest of weight[c] / (weight[c] + w) * squared distance, column `skip` left out: Hartigan's
    /// insertion cost.
    Nearest<T> (*insertion)(const T* x, Index n_dims, const T* centres, Index stride, const T* weight, T w,
                            Index skip);
    /// Squared distance of two points, summed in kLanes interleaved parts: fast in many dimensions.
    T (*between)(const T* a, const T* b, Index n_dims);
    /// sum over i of w[i] * min(closest[i], |p_i - x|^2), points stored by dimension; `out` gets the minima.
    /// n_points must be a multiple of kPad.
    double (*potential)(const T* x, Index n_dims, const T* points, Index stride, Index n_points,
                        const double* w, const T* closest, T* out);
    /// Screens groups of kGroup points (stored [group][dim][kGroup]) against centre panels (stored
    /// [panel][dim][tile]): value = half_norm[c] - x.c, approximate. One result for each point.
    void (*screen)(const T* groups, Index n_groups, Index n_dims, const T* panels, Index n_panels,
                   const T* half_norms, Nearest<T>* out);
    /// Centres in one panel of `screen`.
    Index tile;
    /// Points stored by dimension against few centres: labels[i] is the nearest, which is nearer than any
    /// other by at least slack[i]; where that is not positive the label is a guess. norms[i] = |x_i|.
    void (*few)(const float* points, Index stride, Index n_points, const float* norms,
                const FewCentres& centres, Label* labels, float* slack);
    /// Lists the points whose until[i] is not above lost[labels[i]], in order; returns how many. There is
    /// memory for at least kFewTable values of `lost`.
    Index (*out_of_slack)(const float* until, const Label* labels, Index n_points, const float* lost,
                          Index n_lost, Point* out);
    /// sums[j] += w[i] * x[i, j] over the rows i listed, in order; sums[n_dims] += w[i]. Without w each row
    /// counts once.
    void (*add_rows)(const T* x, Index n_dims, const Point* rows, Index n_rows, const double* w,
                     double* sums);
    /// After the centres moved: lowers the bounds of points [begin, end), lists those that they no longer
    /// decide and returns how many these are.
    Index (*drift)(const GroupTable<T>& groups, const BoundTable<T>& points, Index begin, Index end,
                   Suspect<T>* suspects);
    /// Measures the distance of n suspects to their own centre; keeps those that stay in doubt, returns how
    /// many.
    Index (*tighten)(const GroupTable<T>& groups, const BoundTable<T>& points, Suspect<T>* suspects, Index n);
    /// found[q] = nearest centre of suspect q, ties to the lowest id; its bounds are renewed.
    void (*search)(const GroupTable<T>& groups, const BoundTable<T>& points, const Suspect<T>* suspects,
                   Index n, Label* found);
    /// One for each `TreeMetric`.
    TreeKernels<T> tree[kTreeMetrics];
    /// As `leaf` of squared distances, with a limit for each point.
    unsigned (*closer)(const T* x, Index n_dims, const T* points, const T* limits, T* out);
    /// Lists who may be near: pairs of the queries and panels of `screen` whose value is not above the
    /// query's limit. Returns how many; `hits` has room for all pairs.
    Index (*sieve)(const T* groups, Index n_groups, Index n_dims, const T* panels, Index n_panels,
                   const T* half_norms, const T* limits, SieveHit* hits);
};

/// The kernels of the running CPU.
template <class T>
const Kernels<T>& kernels();

}  // namespace intarsia
