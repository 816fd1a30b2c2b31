#pragma once

#include <algorithm>
#include <vector>

#include "intarsia/common/types.hpp"

namespace intarsia {

/// Mean of the first few thousand points: any point near the data serves to keep the screening products
/// small.
template <class T>
std::vector<T> rough_mean(MatrixView<const T> x) {
    const Index n = std::min<Index>(x.n_rows(), 4096);
    std::vector<T> mean(static_cast<std::size_t>(x.n_cols()), T(0));
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < x.n_cols(); ++j) mean[j] += x(i, j) / static_cast<T>(n);
    return mean;
}

}  // namespace intarsia
