#pragma once

#include "intarsia/common/types.hpp"

namespace intarsia {

/// Sum over dimensions, in order, of (a - b)^2: the one definition of distance that every kernel agrees with.
template <class T, class U>
inline T squared_distance(const T* a, const U* b, Index n_dims) {
    T sum = 0;
    for (Index j = 0; j < n_dims; ++j) {
        const T t = a[j] - static_cast<T>(b[j]);
        sum += t * t;
    }
    return sum;
}

}  // namespace intarsia
