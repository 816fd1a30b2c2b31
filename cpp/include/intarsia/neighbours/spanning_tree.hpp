#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "intarsia/common/types.hpp"

namespace intarsia {

/// Two points and their squared distance. The shorter comes first, of equally long ones that with the lower
/// points: no two edges are equal, so there is one minimum spanning tree, whoever computes it.
struct TreeEdge {
    double squared;
    Point low, high;

    friend bool operator<(const TreeEdge& a, const TreeEdge& b) {
        if (a.squared != b.squared) return a.squared < b.squared;
        return a.low != b.low ? a.low < b.low : a.high < b.high;
    }
};

inline TreeEdge edge_between(double squared, Point a, Point b) {
    return {squared, std::min(a, b), std::max(a, b)};
}

/// Up to this many dimensions a k-d tree finds the next edges; above all distances are measured.
inline constexpr Index kBoruvkaDims = 10;

/// The n - 1 edges of the minimum spanning tree of the points, in order. Exact; memory is that of the points.
std::vector<TreeEdge> euclidean_spanning_tree(MatrixView<const double> x, int n_threads);

/// By rounds in which every component is joined to its nearest neighbour, edges in any order.
std::vector<TreeEdge> boruvka_edges(MatrixView<const double> x, int n_threads);

/// By adding the nearest point that is left, n^2 / 2 distances, edges in any order.
std::vector<TreeEdge> prim_edges(MatrixView<const double> x, int n_threads);

/// Labels of the k clusters that are left when the first n - k of the ordered edges have merged their ends,
/// numbered by their first points; `ends` are pairs of points.
std::vector<Label> cut_tree(std::span<const Point> ends, Index n_points, Index k);

}  // namespace intarsia
