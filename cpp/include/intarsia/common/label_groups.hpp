#pragma once

#include <span>
#include <vector>

#include "intarsia/common/types.hpp"

namespace intarsia {

/// Lists of numbers side by side: list c is members[offsets[c] .. offsets[c + 1]). Of a label vector: the
/// points of each cluster, ascending.
struct Groups {
    std::vector<Index> offsets;
    std::vector<Point> members;

    Index size(Index c) const {
        return offsets[static_cast<std::size_t>(c) + 1] - offsets[static_cast<std::size_t>(c)];
    }
    std::span<const Point> operator[](Index c) const {
        return {members.data() + offsets[static_cast<std::size_t>(c)], static_cast<std::size_t>(size(c))};
    }
};

/// Throws InvalidInput unless there is a label in [0, k) for each of n points.
void check_labels(std::span<const Label> labels, Index n_points, Index k);

/// Two counting passes over the labels; one outside [0, k) is refused.
Groups group_labels(std::span<const Label> labels, Index k);

}  // namespace intarsia
