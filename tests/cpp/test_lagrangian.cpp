#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

#include "intarsia/column_pool.hpp"
#include "intarsia/fixing.hpp"
#include "intarsia/lagrangian.hpp"
#include "intarsia/reduced_costs.hpp"
#include "intarsia/rounding.hpp"

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

Best brute_force(const Columns& columns, Index k, bool equality) {
    Best best;
    for (unsigned set = 0; set < 1U << columns.size(); ++set) {
        if (std::popcount(set) != k || !covers(columns, set, equality)) continue;
        double cost = 0;
        for (Index j = 0; j < columns.size(); ++j)
            cost += set >> j & 1U ? columns.costs[static_cast<std::size_t>(j)] : 0;
        if (cost < best.cost - 1e-12) best = {cost, {}};
        if (cost <= best.cost + 1e-12) best.optimal.push_back(set);
    }
    return best;
}

}  // namespace

TEST_CASE("the bound is below the optimum and fixing keeps every optimal cover") {
    for (std::uint64_t task = 0; task < 40; ++task) {
        const ColumnPool pool = random_pool(5, 13, task);
        const Index k = 2 + static_cast<Index>(task % 3);
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
    const Ascent partial = ascend(pool.columns(), 8, {}, options);
    options.core_factor = 1e6;
    const Ascent whole = ascend(pool.columns(), 8, {}, options);
    CHECK(partial.bound == doctest::Approx(whole.bound).epsilon(0.01));
    options.core_factor = 1;
    for (int n_threads : {2, 3, 7}) {
        options.n_threads = n_threads;
        const Ascent other = ascend(pool.columns(), 8, {}, options);
        CHECK(other.bound == partial.bound);
        CHECK(other.multipliers == partial.multipliers);
    }
}

TEST_CASE("a warm start never loses the bound it starts from") {
    const ColumnPool pool = random_pool(40, 500, 2);
    AscentOptions options;
    const Ascent first = ascend(pool.columns(), 6, {}, options);
    options.max_iterations = 20;
    CHECK(ascend(pool.columns(), 6, first.multipliers, options).bound >= first.bound);
}

TEST_CASE("rounding returns k distinct columns and repeats for the same stream") {
    const ColumnPool pool = random_pool(40, 500, 3);
    const Ascent ascent = ascend(pool.columns(), 7, {}, {});
    const auto draw = [&](std::uint64_t task) {
        return round_lagrangian(pool.columns(), 7, ascent.multipliers, ascent.reduced_costs, {},
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
