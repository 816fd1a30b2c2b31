#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "intarsia/common/error.hpp"
#include "intarsia/common/label_groups.hpp"
#include "intarsia/common/rng.hpp"
#include "intarsia/pool/column_pool.hpp"

using namespace intarsia;

namespace {

std::vector<Label> random_labels(Index n, Index k, std::uint64_t task) {
    Rng rng(11, Stage::kUser, task);
    std::vector<Label> labels(static_cast<std::size_t>(n));
    for (Label& label : labels) label = static_cast<Label>(rng.below(static_cast<std::uint64_t>(k)));
    return labels;
}

/// Adds the clusters of a partition; returns their ids, kAbsent for empty ones.
std::vector<Index> add_all(ColumnPool& pool, const std::vector<Label>& labels, Index k, std::int32_t origin) {
    const Groups groups = group_labels(labels, k);
    std::vector<Index> ids(static_cast<std::size_t>(k), ColumnPool::kAbsent);
    for (Index c = 0; c < k; ++c) {
        if (!groups[c].empty()) ids[static_cast<std::size_t>(c)] = pool.add(groups[c], 1.0, origin).id;
    }
    return ids;
}

}  // namespace

TEST_CASE("equal columns enter once and keep their first cost") {
    ColumnPool pool(5);
    const std::vector<Point> a{0, 2}, b{1, 3, 4};
    CHECK(pool.add(a, 1.5, 0).is_new);
    CHECK(pool.add(b, 2.5, 1).id == 1);
    const Added again = pool.add(a, 9.0, 7);
    CHECK(again.id == 0);
    CHECK_FALSE(again.is_new);
    CHECK(pool.costs()[0] == 1.5);
    CHECK(pool.origins()[0] == 0);
    CHECK(pool.find(b) == 1);
    CHECK(pool.find(std::vector<Point>{3}) == ColumnPool::kAbsent);
}

TEST_CASE("partitions give the same distinct columns as a std::set, through growth of the table") {
    const Index n = 30, k = 12;
    ColumnPool pool(n);
    std::set<std::vector<Point>> seen;
    for (std::uint64_t run = 0; run < 400; ++run) {
        const auto labels = random_labels(n, k, run);
        const auto ids = add_all(pool, labels, k, static_cast<std::int32_t>(run));
        const Groups groups = group_labels(labels, k);
        for (Index c = 0; c < k; ++c) {
            const std::vector<Point> members(groups[c].begin(), groups[c].end());
            const Index id = ids[static_cast<std::size_t>(c)];
            CHECK((id == ColumnPool::kAbsent) == members.empty());
            if (members.empty()) continue;
            seen.insert(members);
            CHECK(std::ranges::equal(pool.columns()[id], members));
        }
    }
    CHECK(pool.size() == std::ssize(seen));
    CHECK(pool.size() > 1024);
}

TEST_CASE("storage taken before growth and pruning stays a valid snapshot") {
    ColumnPool pool(1000);
    pool.add(std::vector<Point>{3, 5}, 1.0, 0);
    const auto held = pool.members().share();
    for (Point i = 0; i < 999; ++i) pool.add(std::vector<Point>{i, i + 1}, 2.0, 1);
    pool.prune(std::vector<std::uint8_t>(static_cast<std::size_t>(pool.size()), 0));
    CHECK(pool.size() == 0);
    CHECK(held[0] == 3);
    CHECK(held[1] == 5);
}

TEST_CASE("pruning keeps order and the table knows the new ids") {
    ColumnPool pool(10);
    for (Point i = 0; i < 10; ++i) pool.add(std::vector<Point>{i}, i, i);
    std::vector<std::uint8_t> keep(10, 0);
    keep[2] = keep[7] = 1;
    pool.prune(keep);
    CHECK(pool.size() == 2);
    CHECK(pool.find(std::vector<Point>{7}) == 1);
    CHECK(pool.find(std::vector<Point>{3}) == ColumnPool::kAbsent);
    CHECK(pool.costs()[1] == 7);
}

TEST_CASE("bytes per column stay near the content") {
    const Index n = 2000, k = 20;
    ColumnPool pool(n);
    for (std::uint64_t run = 0; run < 50; ++run) add_all(pool, random_labels(n, k, run), k, 0);
    CHECK(pool.size() == 50 * k);
    // 100 points a column: a million such columns stay below 0.75 GB, and 1.25 GB while the members grow.
    CHECK(static_cast<double>(pool.bytes()) / static_cast<double>(pool.size()) < 750.0);
}

TEST_CASE("malformed columns are refused") {
    ColumnPool pool(4);
    CHECK_THROWS_AS(pool.add(std::vector<Point>{}, 0, 0), InvalidInput);
    CHECK_THROWS_AS(pool.add(std::vector<Point>{2, 1}, 0, 0), InvalidInput);
    CHECK_THROWS_AS(pool.add(std::vector<Point>{1, 1}, 0, 0), InvalidInput);
    CHECK_THROWS_AS(pool.add(std::vector<Point>{1, 4}, 0, 0), InvalidInput);
    CHECK_THROWS_AS(group_labels(std::vector<Label>{0, 2}, 2), InvalidInput);
    CHECK_THROWS_AS(ColumnPool(0), InvalidInput);
}

TEST_CASE("a pool made of another pool's arrays is the same pool") {
    ColumnPool pool(40);
    for (std::uint64_t run = 0; run < 20; ++run)
        add_all(pool, random_labels(40, 7, run), 7, static_cast<std::int32_t>(run));
    const ColumnPool copy(pool.columns(), pool.origins().span());
    REQUIRE(copy.size() == pool.size());
    CHECK(std::ranges::equal(copy.columns().members, pool.columns().members));
    CHECK(std::ranges::equal(copy.columns().offsets, pool.columns().offsets));
    CHECK(std::ranges::equal(copy.origins().span(), pool.origins().span()));
    CHECK(copy.find(pool.columns()[pool.size() - 1]) == pool.size() - 1);
}

TEST_CASE("arrays that are no pool are refused") {
    const std::vector<Point> members{0, 1, 0, 1};
    const std::vector<double> costs{1, 2};
    const std::vector<std::int32_t> origins{0, 0};
    const auto pool_of = [&](std::vector<Index> offsets) {
        return ColumnPool({3, offsets, members, costs}, origins).size();
    };
    CHECK_THROWS_AS(pool_of({0, 2, 4}), InvalidInput);  // the same column twice
    CHECK_THROWS_AS(pool_of({0, 5, 4}), InvalidInput);
    CHECK_THROWS_AS(pool_of({0, 4}), InvalidInput);
}
