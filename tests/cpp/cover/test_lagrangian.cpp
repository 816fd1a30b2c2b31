#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

#include "intarsia/common/error.hpp"
#include "intarsia/cover/fixing.hpp"
#include "intarsia/cover/lagrangian.hpp"
#include "intarsia/cover/reduced_costs.hpp"
#include "intarsia/cover/rounding.hpp"
#include "intarsia/pool/column_pool.hpp"

using namespace intarsia;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Columns of consecutive points with random costs, plus every singleton: always coverable.
ColumnPool random_pool(Index n, Index n_columns, std::uint64_t task) {
    Rng rng(5, Stage::kUser, task);
    ColumnPool pool(n);
    for (Point i = 0; i < n; ++i) pool.add(std::vector<Point>{i}, 1.0 + rng.uniform(), 0);
    while (pool.size() < n_columns) {
        std::vector<Point> members;
        for (Point i = 0; i < n; ++i) {
            if (rng.below(3) == 0) members.push_back(i);
        }
        if (!members.empty()) pool.add(members, 1.0 + static_cast<double>(members.size()) * rng.uniform(), 1);
    }
    return pool;
}

struct Best {
    double cost = kInfinity;
    std::vector<unsigned> optimal;  // column sets that reach the cost
};

bool covers(const Columns& columns, unsigned set, bool equality) {
    std::vector<int> count(static_cast<std::size_t>(columns.n_points), 0);
    for (Index j = 0; j < columns.size(); ++j) {
        if (!(set >> j & 1U)) continue;
        for (Point i : columns[j]) ++count[static_cast<std::size_t>(i)];
    }
    return std::ranges::all_of(count, [&](int c) { return equality ? c == 1 : c >= 1; });
}

Best brute_force(const Columns& columns, CountRange counts, bool equality) {
    Best best;
    for (unsigned set = 0; set < 1U << columns.size(); ++set) {
        const Index count = std::popcount(set);
        if (count < counts.least || count > counts.most || !covers(columns, set, equality)) continue;
        double cost = 0;
        for (Index j = 0; j < columns.size(); ++j)
            cost += set >> j & 1U ? columns.costs[static_cast<std::size_t>(j)] : 0;
        if (cost < best.cost - 1e-12) best = {cost, {}};
        if (cost <= best.cost + 1e-12) best.optimal.push_back(set);
    }
    return best;
}

CountRange exactly(Index k) { return {k, k}; }

/// The same columns, each cheaper by as much: costs of both signs.
ColumnPool lowered(const ColumnPool& pool, double by) {
    ColumnPool other(pool.n_points());
    const Columns columns = pool.columns();
    for (Index j = 0; j < columns.size(); ++j)
        other.add(columns[j], columns.costs[static_cast<std::size_t>(j)] - by, 0);
    return other;
}

void check_bound_and_fixing(const ColumnPool& pool, CountRange counts, bool equality) {
    const Best best = brute_force(pool.columns(), counts, equality);
    AscentOptions options;
    options.equality = equality;
    options.magnitude = 1.0;
    const Ascent ascent = ascend(pool.columns(), counts, {}, options);
    CHECK(ascent.bound <= best.cost + 1e-9);
    CHECK(ascent.bound ==
          doctest::Approx(lagrangian_value(ascent.multipliers, ascent.reduced_costs, counts)).epsilon(1e-12));
    if (best.optimal.empty()) return;
    const auto fixed = fix_columns(ascent.reduced_costs, ascent.bound, best.cost, counts, 1.0);
    for (unsigned set : best.optimal) {
        for (std::size_t j = 0; j < fixed.size(); ++j) {
            if (fixed[j] != 0) CHECK(((set >> j & 1U) != 0) == (fixed[j] > 0));
        }
    }
}

}  // namespace

TEST_CASE(
    "with costs of both signs and a range of columns the bound holds and fixing keeps what is optimal") {
    for (std::uint64_t task = 0; task < 40; ++task) {
        const ColumnPool pool = lowered(random_pool(5, 13, task), 0.3 * static_cast<double>(task % 10));
        const Index least = 1 + static_cast<Index>(task % 3);
        for (bool equality : {false, true}) {
            for (Index width : {0, 1, 3, 20}) check_bound_and_fixing(pool, {least, least + width}, equality);
        }
    }
}

TEST_CASE("the cheapest number of columns is that of the negative ones, within the range") {
    const std::vector<double> reduced{-2, 3, -1, 0, 5};
    CHECK(cheapest_count(reduced, {1, 5}) == 2);
    CHECK(cheapest_count(reduced, {1, 1}) == 1);
    CHECK(cheapest_count(reduced, {3, 9}) == 3);
    CHECK(lagrangian_value(std::vector<double>{1, 1}, reduced, {1, 5}) == -1);
    CHECK(lagrangian_value(std::vector<double>{1, 1}, reduced, {4, 5}) == 2);
    CHECK_THROWS_AS(check_counts({3, 2}, 5), InvalidInput);
    CHECK_THROWS_AS(check_counts({6, 9}, 5), InvalidInput);
}

TEST_CASE("rounding with negative multipliers is what looking at every column each time gives") {
    for (std::uint64_t task = 0; task < 30; ++task) {
        const ColumnPool pool = lowered(random_pool(12, 60, task), 1.5);
        const Columns columns = pool.columns();
        Rng rng(3, Stage::kUser, task);
        std::vector<double> u(12), reduced(60);
        for (double& value : u) value = 2 * rng.uniform() - 1;
        price_columns(columns, u, 1, reduced);
        std::vector<char> covered(12, 0);
        std::vector<Index> expected;
        while (expected.size() < 5) {
            double least = kInfinity;
            Index best = -1;
            for (Index j = 0; j < columns.size(); ++j) {
                if (std::ranges::count(expected, j)) continue;
                double gain = 0;
                for (Point i : columns[j])
                    gain += covered[static_cast<std::size_t>(i)] ? 0 : u[static_cast<std::size_t>(i)];
                const double score = columns.costs[static_cast<std::size_t>(j)] - gain;
                if (score < least) {
                    least = score;
                    best = j;
                }
            }
            expected.push_back(best);
            for (Point i : columns[best]) covered[static_cast<std::size_t>(i)] = 1;
        }
        const auto chosen =
            round_lagrangian(columns, exactly(5), u, reduced, {0.0, 60.0}, Rng(1, Stage::kCover));
        CHECK(chosen == expected);
    }
}

TEST_CASE("rounding within a range covers what it can and takes no column that does not pay") {
    ColumnPool pool(4);
    pool.add(std::vector<Point>{0, 1}, 1.0, 0);
    pool.add(std::vector<Point>{2, 3}, 1.0, 0);
    pool.add(std::vector<Point>{1, 2}, 0.5, 0);
    pool.add(std::vector<Point>{3}, -0.25, 0);
    const std::vector<double> u{0.5, 0.5, 0.5, 0.5};
    std::vector<double> reduced(4);
    price_columns(pool.columns(), u, 1, reduced);
    const auto round = [&](CountRange counts) {
        auto chosen =
            round_lagrangian(pool.columns(), counts, u, reduced, {0.0, 10.0}, Rng(1, Stage::kCover));
        std::sort(chosen.begin(), chosen.end());
        return chosen;
    };
    CHECK(round({1, 1}) == std::vector<Index>{3});
    CHECK(round({1, 4}) == std::vector<Index>{0, 2, 3});
    CHECK(round({4, 4}) == std::vector<Index>{0, 1, 2, 3});
}

TEST_CASE("the bound is below the optimum and fixing keeps every optimal cover") {
    for (std::uint64_t task = 0; task < 40; ++task) {
        const ColumnPool pool = random_pool(5, 13, task);
        const CountRange k = exactly(2 + static_cast<Index>(task % 3));
        for (bool equality : {false, true}) {
            const Best best = brute_force(pool.columns(), k, equality);
            AscentOptions options;
            options.equality = equality;
            const Ascent ascent = ascend(pool.columns(), k, {}, options);
            CHECK(ascent.bound <= best.cost * (1 + 1e-9));
            CHECK(ascent.bound ==
                  doctest::Approx(lagrangian_value(ascent.multipliers, ascent.reduced_costs, k))
                      .epsilon(1e-12));
            if (best.optimal.empty()) continue;
            const auto fixed = fix_columns(ascent.reduced_costs, ascent.bound, best.cost, k);
            for (unsigned set : best.optimal) {
                for (std::size_t j = 0; j < fixed.size(); ++j) {
                    if (fixed[j] != 0) CHECK(((set >> j & 1U) != 0) == (fixed[j] > 0));
                }
            }
        }
    }
}

TEST_CASE("a larger core and partial pricing agree on the bound; threads do not matter") {
    const ColumnPool pool = random_pool(60, 6000, 1);
    AscentOptions options;
    options.core_factor = 1;
    options.max_iterations = 2000;
    const Ascent partial = ascend(pool.columns(), exactly(8), {}, options);
    options.core_factor = 1e6;
    const Ascent whole = ascend(pool.columns(), exactly(8), {}, options);
    CHECK(partial.bound == doctest::Approx(whole.bound).epsilon(0.01));
    options.core_factor = 1;
    for (int n_threads : {2, 3, 7}) {
        options.n_threads = n_threads;
        const Ascent other = ascend(pool.columns(), exactly(8), {}, options);
        CHECK(other.bound == partial.bound);
        CHECK(other.multipliers == partial.multipliers);
    }
}

TEST_CASE("a warm start never loses the bound it starts from") {
    const ColumnPool pool = random_pool(40, 500, 2);
    AscentOptions options;
    const Ascent first = ascend(pool.columns(), exactly(6), {}, options);
    options.max_iterations = 20;
    CHECK(ascend(pool.columns(), exactly(6), first.multipliers, options).bound >= first.bound);
}

TEST_CASE("rounding returns k distinct columns and repeats for the same stream") {
    const ColumnPool pool = random_pool(40, 500, 3);
    const Ascent ascent = ascend(pool.columns(), exactly(7), {}, {});
    const auto draw = [&](std::uint64_t task) {
        return round_lagrangian(pool.columns(), exactly(7), ascent.multipliers, ascent.reduced_costs, {},
                                Rng(1, Stage::kCover, task));
    };
    auto chosen = draw(0);
    CHECK(chosen == draw(0));
    std::sort(chosen.begin(), chosen.end());
    CHECK(std::unique(chosen.begin(), chosen.end()) == chosen.end());
    CHECK(std::ssize(chosen) == 7);
}

TEST_CASE("smallest positions break ties towards the lower position") {
    std::vector<double> scratch;
    std::vector<Index> positions;
    smallest_positions(std::vector<double>{3, 1, 2, 1, 1}, 2, scratch, positions);
    CHECK(positions == std::vector<Index>{1, 3});
    smallest_positions(std::vector<double>{3, 1}, 2, scratch, positions);
    CHECK(positions == std::vector<Index>{0, 1});
}
