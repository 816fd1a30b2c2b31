#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "intarsia/ensemble/similarity.hpp"

namespace intarsia {

enum class Linkage { kSingle, kAverage, kComplete };

/// A dendrogram as a spanning tree: edge e joins the clusters of rows a[e] and b[e] at this similarity.
/// Any n - k of its edges leave exactly k clusters.
struct MergeTree {
    std::vector<std::int32_t> a;
    std::vector<std::int32_t> b;
    std::vector<float> similarity;
};

/// Nearest-neighbour chain on a lower triangle of similarities (see lower_triangle), which it overwrites.
/// O(n^2) time, no memory beyond the triangle. Weights are cluster sizes for average link.
MergeTree agglomerate(std::span<float> triangle, std::span<const double> weights, Linkage linkage);

/// Maximum spanning tree by Prim's algorithm: single link with similarities computed on the fly. O(n) memory.
MergeTree spanning_tree(const Similarity& similarity);

}  // namespace intarsia
