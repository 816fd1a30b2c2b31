#pragma once

#include "intarsia/common/types.hpp"

namespace intarsia {

/// Points in a panel: a few points stored by dimension, values[j * kPanel + i], for vectorised loops.
inline constexpr Index kPanel = 128;

/// The loops over one panel, compiled once for each instruction set; sums run in eight interleaved lanes, so
/// that they have the same bits everywhere.
struct PanelKernels {
    /// out = panel - centre.
    void (*centre)(const double* panel, Index n_dims, const double* centre, double* out);
    /// out[i] = |A x_i|^2 for the centred points, A lower triangular and packed by rows.
    void (*quadratic)(const double* centred, Index n_dims, const double* triangle, double* out);
    /// out[i] = sum over j of (scale[j] x_ij)^2 for the centred points.
    void (*scaled)(const double* centred, Index n_dims, const double* scale, double* out);
    /// out[i] = |x_i - centre|^2.
    void (*distances)(const double* panel, Index n_dims, const double* centre, double* out);
    /// Turns the k scores of every point (scores[c * kPanel + i]) into shares exp(score) that sum to one;
    /// `largest` gets the largest score, `total` the sum of exp(score - largest).
    void (*softmax)(double* scores, Index k, double* largest, double* total);
    /// Takes the square root of k values of every point.
    void (*roots)(double* values, Index k);
    /// Turns the k positive costs of every point into shares 1 / cost that sum to one; `total` gets the sum
    /// of smallest / cost, `smallest` the smallest cost.
    void (*inverse_shares)(double* costs, Index k, double* smallest, double* total);
    /// Adds sum r, sum r x_j and sum r x_j x_l (l <= j, packed) of the centred points to `sums`.
    void (*full_moments)(const double* centred, Index n_dims, const double* r, double* sums);
    /// Adds sum r, sum r x_j and sum r x_j^2 to `sums`.
    void (*diagonal_moments)(const double* centred, Index n_dims, const double* r, double* sums);
    /// Adds sum r and sum r x_j to `sums`.
    void (*means)(const double* centred, Index n_dims, const double* r, double* sums);
    /// Sum of a[i] * b[i] over the panel.
    double (*dot)(const double* a, const double* b);
    /// Sum of weights[i] * exp(-costs[i]) over the panel, costs >= 0.
    double (*decayed)(const double* costs, const double* weights);
};

/// The kernels of the running CPU.
const PanelKernels& panel_kernels();

}  // namespace intarsia
