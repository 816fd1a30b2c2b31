#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "intarsia/common/error.hpp"
#include "intarsia/common/types.hpp"

namespace intarsia {

/// Of the points whose cluster has others, the one that costs most where it is (ties: the lowest), or -1.
template <class Cost>
Index costliest_in_company(std::span<const Label> labels, std::span<const Index> sizes, Cost&& cost) {
    Index worst = -1;
    double most = -std::numeric_limits<double>::infinity();
    for (Index i = 0; i < std::ssize(labels); ++i) {
        if (sizes[labels[i]] < 2) continue;
        if (const double here = cost(i); here > most) {
            most = here;
            worst = i;
        }
    }
    return worst;
}

/// Gives every empty cluster, in order, that point: move(point, cluster) has to change its label. `sizes` are
/// those of the labels. Returns how many clusters were empty.
template <class Cost, class Move>
Index fill_empty(std::span<const Label> labels, std::vector<Index> sizes, Cost&& cost, Move&& move) {
    Index n_filled = 0;
    for (Label c = 0; c < static_cast<Label>(sizes.size()); ++c) {
        if (sizes[c] > 0) continue;
        const Index i = costliest_in_company(labels, sizes, cost);
        if (i < 0)
            throw InvalidInput("cluster " + std::to_string(c) +
                               " stays empty: costs should be numbers, and clusters no more than points.");
        --sizes[labels[i]];
        ++sizes[c];
        move(i, c);
        ++n_filled;
    }
    return n_filled;
}

}  // namespace intarsia
