#pragma once

#include <algorithm>
#include <span>

#include "intarsia/common/types.hpp"
#include "intarsia/distance/panel_kernels.hpp"

namespace intarsia {

/// Writes points [begin, end) into a panel; the rest of it repeats the last point.
template <class T>
void load_panel(MatrixView<const T> x, Index begin, Index end, double* panel) {
    for (Index i = 0; i < kPanel; ++i) {
        const T* row = x.row(std::min(begin + i, end - 1));
        for (Index j = 0; j < x.n_cols(); ++j) panel[j * kPanel + i] = static_cast<double>(row[j]);
    }
}

/// Weights of points [begin, end), zero for the rest of the panel; empty `weights` are all one.
inline void load_weights(std::span<const double> weights, Index begin, Index end, double* panel) {
    for (Index i = 0; i < kPanel; ++i)
        panel[i] = begin + i >= end ? 0.0 : weights.empty() ? 1.0 : weights[begin + i];
}

/// Calls fn(first, last) for the panels of [begin, end).
template <class Fn>
void for_panels(Index begin, Index end, Fn&& fn) {
    for (Index first = begin; first < end; first += kPanel) fn(first, std::min(end, first + kPanel));
}

}  // namespace intarsia
