#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "intarsia/common/disjoint_sets.hpp"
#include "intarsia/common/error.hpp"
#include "intarsia/common/rng.hpp"
#include "intarsia/distance/distance.hpp"
#include "intarsia/neighbours/spanning_tree.hpp"

using namespace intarsia;

namespace {

// Kruskal on all pairs.
std::vector<TreeEdge> plain_tree(MatrixView<const double> x) {
    std::vector<TreeEdge> all, tree;
    for (Point i = 0; i < x.n_rows(); ++i)
        for (Point j = 0; j < i; ++j)
            all.push_back(edge_between(squared_distance(x.row(i), x.row(j), x.n_cols()), i, j));
    std::sort(all.begin(), all.end());
    DisjointSets sets(x.n_rows());
    for (const TreeEdge& edge : all)
        if (sets.join(edge.low, edge.high)) tree.push_back(edge);
    return tree;
}

void check_same(std::vector<TreeEdge> found, const std::vector<TreeEdge>& expected) {
    std::sort(found.begin(), found.end());
    REQUIRE(found.size() == expected.size());
    for (std::size_t e = 0; e < found.size(); ++e) {
        CHECK(found[e].squared == expected[e].squared);
        CHECK(found[e].low == expected[e].low);
        CHECK(found[e].high == expected[e].high);
    }
}

}  // namespace

TEST_CASE("both ways give the tree of Kruskal, equal lengths and copies included") {
    for (Index d : {1, 2, 3, 7, 12}) {
        for (Index n : {1, 2, 16, 17, 40, 260}) {
            for (double steps : {3.0, 1e9}) {  // few different values, or none alike
                Rng rng(4, Stage::kUser, static_cast<std::uint64_t>(n), static_cast<std::uint64_t>(d));
                std::vector<double> values(static_cast<std::size_t>(n * d));
                for (double& v : values) v = std::floor(steps * rng.uniform());
                const MatrixView<const double> x(values.data(), n, d);
                const auto expected = plain_tree(x);
                check_same(boruvka_edges(x, 2), expected);
                check_same(prim_edges(x, 2), expected);
                check_same(euclidean_spanning_tree(x, 2), expected);
            }
        }
    }
}

TEST_CASE("clusters left by the shortest edges are numbered by their first points") {
    const std::vector<Point> ends{2, 3, 0, 4, 1, 2, 0, 1};
    CHECK(cut_tree(ends, 5, 5) == std::vector<Label>{0, 1, 2, 3, 4});
    CHECK(cut_tree(ends, 5, 3) == std::vector<Label>{0, 1, 2, 2, 0});
    CHECK(cut_tree(ends, 5, 2) == std::vector<Label>{0, 1, 1, 1, 0});
    CHECK(cut_tree(ends, 5, 1) == std::vector<Label>{0, 0, 0, 0, 0});
    CHECK_THROWS_AS(cut_tree(ends, 5, 0), InvalidInput);
    CHECK_THROWS_AS(cut_tree(ends, 5, 6), InvalidInput);
    CHECK_THROWS_AS(cut_tree(ends, 4, 2), InvalidInput);
    CHECK_THROWS_AS(cut_tree(std::vector<Point>{0, 7}, 2, 1), InvalidInput);
}
