#pragma once

#include <span>
#include <vector>

#include "intarsia/ensemble/indicator.hpp"

namespace intarsia {

/// How strongly every point belongs to each of k meta-clusters: the mean of its (member-weighted) entries
/// over the clusters of the meta-cluster whose member knows the point. Points x k; meta[column] is in [0, k).
std::vector<double> meta_association(const Indicator& indicator, std::span<const double> member_weights,
                                     std::span<const Label> meta, Index k, int n_threads);

/// The graph of points and clusters, cut into k parts of bounded point weight.
struct BipartiteCut {
    std::vector<Label> parts;
    std::vector<Label> meta;
    double cut = 0;
};

/// Moves clusters and points, in turn and in order, to the part that they are tied to most while that lowers
/// the cut and no part passes max_weight; at most max_passes times. No part is emptied.
BipartiteCut refine_bipartite(const Indicator& indicator, std::span<const double> member_weights,
                              std::span<const double> point_weights, std::span<const Label> parts, Index k,
                              double max_weight, int max_passes);

}  // namespace intarsia
