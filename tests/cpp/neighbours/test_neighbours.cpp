#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <vector>

#include "intarsia/common/error.hpp"
#include "intarsia/common/rng.hpp"
#include "intarsia/distance/distance.hpp"
#include "intarsia/neighbours/neighbours.hpp"

using namespace intarsia;

namespace {

// Whole numbers: many points are equally far, some are the same.
std::vector<double> draw(Index n, std::uint64_t task) {
    Rng rng(3, Stage::kUser, task);
    std::vector<double> values(static_cast<std::size_t>(n));
    for (double& v : values) v = std::floor(6 * rng.uniform());
    return values;
}

std::vector<Neighbour> everybody(MatrixView<const double> x, Index own) {
    std::vector<Neighbour> all;
    for (Index i = 0; i < x.n_rows(); ++i)
        if (i != own) all.push_back({squared_distance(x.row(own), x.row(i), x.n_cols()), Point(i)});
    std::sort(all.begin(), all.end());
    return all;
}

}  // namespace

TEST_CASE("neighbours are the first of all points in order of distance and number") {
    for (Index d : std::initializer_list<Index>{1, 2, 5, 6, kTreeDims, kTreeDims + 1, 20}) {
        for (Index n : {2, 16, 17, 129, 300}) {
            const auto values = draw(n * d, static_cast<std::uint64_t>(n * 100 + d));
            const MatrixView<const double> x(values.data(), n, d);
            const NeighbourIndex index(x, 2);
            for (Index k : {Index{1}, std::min<Index>(n - 1, 30), n - 1}) {
                const auto found = index.nearest(x, k, 0, 2);
                const auto near = index.within(x, 2.0, 0, 2);
                for (Index i = 0; i < n; ++i) {
                    auto all = everybody(x, i);
                    for (Index r = 0; r < k; ++r) {
                        CHECK(found.ids[i * k + r] == all[r].id);
                        CHECK(found.distances[i * k + r] == std::sqrt(all[r].squared));
                    }
                    std::erase_if(all, [](const Neighbour& one) { return one.squared > 4; });
                    std::sort(all.begin(), all.end(), [](auto& a, auto& b) { return a.id < b.id; });
                    REQUIRE(near.offsets[i + 1] - near.offsets[i] == static_cast<Index>(all.size()));
                    for (std::size_t r = 0; r < all.size(); ++r)
                        CHECK(near.ids[near.offsets[i] + static_cast<Index>(r)] == all[r].id);
                }
            }
        }
    }
}

TEST_CASE("what cannot be answered is refused") {
    const std::vector<double> x{0, 1, 2};
    const NeighbourIndex index({x.data(), 3, 1}, 1);
    CHECK_THROWS_AS(index.nearest({x.data(), 3, 1}, 3, 0, 1), InvalidInput);
    CHECK_THROWS_AS(index.nearest({x.data(), 3, 1}, 4, -1, 1), InvalidInput);
    CHECK_THROWS_AS(index.nearest({x.data(), 3, 1}, 0, -1, 1), InvalidInput);
    CHECK_THROWS_AS(index.nearest({x.data(), 3, 1}, 1, 1, 1), InvalidInput);
    CHECK_THROWS_AS(index.nearest({x.data(), 1, 3}, 1, -1, 1), InvalidInput);
    CHECK_THROWS_AS(index.within({x.data(), 3, 1}, -1, 0, 1), InvalidInput);
    CHECK_THROWS_AS(index.within({x.data(), 3, 1}, std::nan(""), 0, 1), InvalidInput);
    CHECK_THROWS_AS(NeighbourIndex({x.data(), 0, 1}, 1), InvalidInput);
}
