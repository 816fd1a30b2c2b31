#include <doctest/doctest.h>

#include <set>
#include <utility>
#include <vector>

#include "intarsia/common/error.hpp"
#include "intarsia/distance/distance.hpp"
#include "intarsia/kmeans/kmeans.hpp"
#include "intarsia/kmeans/seeding.hpp"

using namespace intarsia;

namespace {

std::vector<double> draw(Index n, Index d) {
    Rng rng(9, Stage::kUser, static_cast<std::uint64_t>(n * d));
    std::vector<double> data(static_cast<std::size_t>(n * d));
    for (double& v : data) v = rng.uniform() + static_cast<double>(rng.below(5));
    return data;
}

}  // namespace

TEST_CASE("at the end every point is at its nearest centre and every centre is a mean") {
    // more than 256 clusters go another way
    for (const auto& [d, k] :
         {std::pair<Index, Index>{1, 37}, {2, 37}, {4, 37}, {12, 37}, {2, 300}, {12, 300}}) {
        const Index n = 3000;
        const auto data = draw(n, d);
        const MatrixView<const double> x(data.data(), n, d);
        const WeightedPoints points{x};
        Rng rng(1, Stage::kSeeding);
        std::vector<double> start;
        for (Index i : random_points(points, k, rng)) start.insert(start.end(), x.row(i), x.row(i) + d);
        const auto r = kmeans(points, {start.data(), k, d}, {1000, 0.0, 2});
        CHECK(r.converged);
        std::vector<double> sums(static_cast<std::size_t>(k * d), 0.0),
            counts(static_cast<std::size_t>(k), 0.0);
        for (Index i = 0; i < n; ++i) {
            const double own = squared_distance(x.row(i), r.centres.data() + r.labels[i] * d, d);
            for (Index c = 0; c < k; ++c) {
                const double other = squared_distance(x.row(i), r.centres.data() + c * d, d);
                REQUIRE((own < other || (own == other && r.labels[i] <= c)));
            }
            ++counts[r.labels[i]];
            for (Index j = 0; j < d; ++j) sums[r.labels[i] * d + j] += x(i, j);
        }
        for (Index c = 0; c < k; ++c)
            for (Index j = 0; j < d; ++j)
                CHECK(r.centres[c * d + j] == doctest::Approx(sums[c * d + j] / counts[c]).epsilon(1e-12));
    }
}

TEST_CASE("seeds are distinct points") {
    std::vector<double> data;
    for (int i = 0; i < 300; ++i) data.push_back(i % 40);
    const WeightedPoints points{{data.data(), 300, 1}};
    for (std::uint64_t task = 0; task < 20; ++task) {
        Rng rng(1, Stage::kSeeding, task);
        std::set<double> random, greedy;
        for (Index i : random_points(points, 40, rng)) random.insert(data[i]);
        for (Index i : kmeans_plus_plus(points, 40, rng, 1)) greedy.insert(data[i]);
        CHECK(random.size() == 40);
        CHECK(greedy.size() == 40);
        CHECK_THROWS_AS(random_points(points, 41, rng), InvalidInput);
        CHECK_THROWS_AS(kmeans_plus_plus(points, 41, rng, 1), InvalidInput);
    }
}

TEST_CASE("weightless points are never seeds") {
    std::vector<double> data, weights;
    for (int i = 0; i < 100; ++i) {
        data.push_back(i);
        weights.push_back(i % 2);
    }
    const WeightedPoints points{{data.data(), 100, 1}, weights};
    Rng rng(1, Stage::kSeeding);
    for (Index i : random_points(points, 50, rng)) CHECK(i % 2 == 1);
    for (Index i : kmeans_plus_plus(points, 50, rng, 1)) CHECK(i % 2 == 1);
}

TEST_CASE("late seeds are drawn without a look at those before, and differ") {
    std::vector<double> data, weights;
    for (int i = 0; i < 3000; ++i) {
        data.push_back(i);
        weights.push_back(i % 2);
    }
    const WeightedPoints points{{data.data(), 3000, 1}, weights};
    Rng rng(1, Stage::kSeeding);
    std::set<Index> seeds;
    for (Index i : kmeans_plus_plus(points, 1500, rng, 1, 0.0)) seeds.insert(i);
    CHECK(seeds.size() == 1500);
    for (Index i : seeds) CHECK(i % 2 == 1);
}
