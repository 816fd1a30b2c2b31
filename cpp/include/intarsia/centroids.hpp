#pragma once

#include <span>
#include <vector>

#include "intarsia/types.hpp"

namespace intarsia {

/// The members of every cluster, each list in ascending point order.
struct Members {
    std::vector<Index> offsets;
    std::vector<std::int32_t> points;

    std::span<const std::int32_t> of(Label c) const {
        return std::span(points).subspan(static_cast<std::size_t>(offsets[c]),
                                         static_cast<std::size_t>(offsets[c + 1] - offsets[c]));
    }
};

/// Counting sort of the points by label. Every label must be in [0, n_clusters).
Members group_by_label(std::span<const Label> labels, Index n_clusters);

/// Writes the weighted mean of each cluster flagged in `stale` into `centres`; a cluster without weight keeps
/// its centre. Sums run over members in point order in fixed blocks: the same bits for any number of threads.
/// `weights` may be empty (all one).
template <class T>
void update_centroids(MatrixView<const T> x, std::span<const double> weights, const Members& members,
                      std::span<const char> stale, int n_threads, MatrixView<double> centres);

}  // namespace intarsia
