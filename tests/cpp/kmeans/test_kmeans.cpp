#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "intarsia/common/error.hpp"
#include "intarsia/distance/distance.hpp"
#include "intarsia/kmeans/kmeans.hpp"
#include "intarsia/kmeans/seeding.hpp"
#include "intarsia/kmeans/start_swaps.hpp"

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

namespace {

double potential(const WeightedPoints& points, const std::vector<Index>& starts) {
    double sum = 0;
    for (Index i = 0; i < points.n_points(); ++i) {
        double least = std::numeric_limits<double>::max();
        for (Index s : starts)
            least = std::min(least, squared_distance(points.row(i), points.row(s), points.n_dims()));
        sum += points.weight(i) * least;
    }
    return sum;
}

}  // namespace

TEST_CASE("starts in float32 keep to their memory, however many points") {
    for (Index n = 20; n < 60; ++n) {
        std::vector<float> data;
        for (Index i = 0; i < n; ++i) data.push_back(static_cast<float>((i * i) % 61));
        const WeightedPointsOf<float> points{{data.data(), n, 1}};
        Rng rng(1, Stage::kSeeding, static_cast<std::uint64_t>(n));
        auto starts = kmeans_plus_plus(points, 3, rng, 1);
        swap_starts(points, starts, 6, rng, 1);
        CHECK(starts.size() == 3);
    }
}

TEST_CASE("every swap of starts is the best one for a point that lowers the potential") {
    const Index n = 700, d = 3, k = 9;
    const auto data = draw(n, d);
    std::vector<double> weights(static_cast<std::size_t>(n));
    for (Index i = 0; i < n; ++i) weights[static_cast<std::size_t>(i)] = static_cast<double>(i % 4);
    const WeightedPoints points{{data.data(), n, d}, weights};
    int swapped = 0;
    for (std::uint64_t task = 0; task < 40; ++task) {
        Rng rng(1, Stage::kSeeding, task);
        const auto before = random_points(points, k, rng);
        auto after = before;
        swap_starts(points, after, 1, rng, 2);
        std::vector<Index> places;
        for (Index s = 0; s < k; ++s)
            if (after[s] != before[s]) places.push_back(s);
        if (places.empty()) continue;
        ++swapped;
        REQUIRE(places.size() == 1);
        const Index drawn = after[places[0]];
        CHECK(points.weight(drawn) > 0);
        CHECK(potential(points, after) < potential(points, before));
        for (Index s = 0; s < k; ++s) {
            auto other = before;
            other[s] = drawn;
            CHECK(potential(points, after) <= potential(points, other) * (1 + 1e-12));
        }
    }
    CHECK(swapped > 20);
}

TEST_CASE("many swaps of starts lower the potential, the starts stay distinct, one is left alone") {
    std::vector<double> data;
    for (int i = 0; i < 300; ++i) data.push_back((i * i) % 41);
    const WeightedPoints points{{data.data(), 300, 1}};
    for (std::uint64_t task = 0; task < 20; ++task) {
        Rng rng(1, Stage::kSeeding, task);
        auto starts = random_points(points, 12, rng);
        const double before = potential(points, starts);
        swap_starts(points, starts, 30, rng, 3);
        CHECK(potential(points, starts) < before);
        std::set<double> values;
        for (Index s : starts) values.insert(data[static_cast<std::size_t>(s)]);
        CHECK(values.size() == 12);
    }
    Rng rng(1, Stage::kSeeding, 0);
    std::vector<Index> one{5};
    swap_starts(points, one, 10, rng, 1);
    CHECK(one == std::vector<Index>{5});
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
