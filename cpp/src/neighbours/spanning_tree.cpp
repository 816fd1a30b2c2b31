#include "intarsia/neighbours/spanning_tree.hpp"

#include <limits>
#include <string>

#include "intarsia/common/disjoint_sets.hpp"
#include "intarsia/common/error.hpp"

namespace intarsia {

std::vector<TreeEdge> euclidean_spanning_tree(MatrixView<const double> x, int n_threads) {
    if (x.n_rows() < 1 || x.n_cols() < 1) throw InvalidInput("a spanning tree needs at least one point.");
    if (x.n_rows() > std::numeric_limits<Point>::max())
        throw InvalidInput("a spanning tree of more than 2147483647 points is not supported.");
    auto edges = x.n_cols() <= kBoruvkaDims ? boruvka_edges(x, n_threads) : prim_edges(x, n_threads);
    std::sort(edges.begin(), edges.end());
    return edges;
}

std::vector<Label> cut_tree(std::span<const Point> ends, Index n_points, Index k) {
    if (static_cast<Index>(ends.size()) != 2 * (n_points - 1))
        throw InvalidInput("a spanning tree of " + std::to_string(n_points) + " points has " +
                           std::to_string(n_points - 1) + " edges.");
    if (k < 1 || k > n_points) throw InvalidInput("k should be between 1 and the number of points.");
    DisjointSets sets(n_points);
    for (Index e = 0; e < n_points - k; ++e) {
        const Point a = ends[2 * e], b = ends[2 * e + 1];
        if (a < 0 || b < 0 || a >= n_points || b >= n_points) throw InvalidInput("an edge ends at no point.");
        sets.join(a, b);
    }
    std::vector<Label> labels(static_cast<std::size_t>(n_points));
    Label next = 0;
    // a set is named by its lowest point, which comes first and so has its label already
    for (Point i = 0; i < n_points; ++i) labels[i] = sets.find(i) == i ? next++ : labels[sets.find(i)];
    return labels;
}

}  // namespace intarsia
