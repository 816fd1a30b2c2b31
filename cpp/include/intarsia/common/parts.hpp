#pragma once

#include <algorithm>
#include <vector>

#include "intarsia/common/parallel.hpp"
#include "intarsia/common/types.hpp"

namespace intarsia {

inline constexpr Index kMaxParts = 64;
/// Numbers that all partial sums together may hold before there are fewer parts.
inline constexpr Index kPartBudget = Index{1} << 24;
/// Below this much arithmetic waking threads costs more than it saves.
inline constexpr Index kWorthThreads = Index{1} << 19;

/// Points in one part of [0, n) when every part has a partial sum of `width` numbers: a function of the
/// problem alone, so that sums do not depend on the number of threads.
inline Index part_size(Index n, Index width) {
    const Index parts = std::clamp<Index>(kPartBudget / std::max<Index>(width, 1), 8, kMaxParts);
    return std::max(kChunk, n_chunks((n + parts - 1) / parts) * kChunk);
}

inline int useful_threads(Index work, int n_threads) { return work < kWorthThreads ? 1 : n_threads; }

/// Sum over the fixed parts of [0, n) of what fn(begin, end, sums) adds to `width` zeros, in part order.
template <class Fn>
std::vector<double> sum_parts(Index n, Index width, int n_threads, Fn&& fn) {
    const Index size = part_size(n, width);
    const Index n_parts = n_chunks(n, size);
    std::vector<double> partial(static_cast<std::size_t>(n_parts * width), 0.0);
    parallel_for(n_parts, n_threads,
                 [&](Index p) { fn(p * size, std::min(n, (p + 1) * size), partial.data() + p * width); });
    for (Index p = 1; p < n_parts; ++p)
        for (Index s = 0; s < width; ++s) partial[s] += partial[p * width + s];
    partial.resize(static_cast<std::size_t>(width));
    return partial;
}

}  // namespace intarsia
