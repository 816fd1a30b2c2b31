#include <doctest/doctest.h>

#include <vector>

#include "intarsia/common/error.hpp"
#include "intarsia/pool/column_pool.hpp"
#include "intarsia/pool/duplicates.hpp"

using namespace intarsia;

namespace {

struct Line {
    std::vector<double> x;
    WeightedPoints points(std::span<const double> weights = {}) const {
        return {{x.data(), static_cast<Index>(x.size()), 1}, weights};
    }
};

ColumnPool pool_of(Index n, const std::vector<std::vector<Point>>& columns) {
    ColumnPool pool(n);
    for (const auto& members : columns) pool.add(members, 0, 0);
    return pool;
}

}  // namespace

TEST_CASE("a point in two columns stays with the nearer centre, ties to the earlier column") {
    const Line line{{0, 1, 4, 9, 10}};
    const ColumnPool pool = pool_of(5, {{0, 1, 2}, {2, 3, 4}});
    CHECK(remove_duplicates(pool.columns(), std::vector<Index>{0, 1}, line.points()) ==
          std::vector<Label>{0, 0, 0, 1, 1});
    const Line even{{0, 5, 10}};
    const ColumnPool tie = pool_of(3, {{0, 1}, {1, 2}});
    CHECK(remove_duplicates(tie.columns(), std::vector<Index>{1, 0}, even.points()) ==
          std::vector<Label>{1, 0, 0});
}

TEST_CASE("centres move at once: an earlier removal decides a later one") {
    const Line line{{0, 2, 5, 8, 3}};
    const ColumnPool pool = pool_of(5, {{0, 1, 2, 4}, {1, 2, 3}});
    // Second centre 5 -> 6.5 after point 1 goes; first centre 2.5: point 2 (x = 5) is now nearer to 6.5.
    CHECK(remove_duplicates(pool.columns(), std::vector<Index>{0, 1}, line.points()) ==
          std::vector<Label>{0, 0, 1, 1, 0});
}

TEST_CASE("uncovered points join the nearest centre") {
    const Line line{{0, 1, 10, 11, 4}};
    const ColumnPool pool = pool_of(5, {{0, 1}, {2, 3}});
    CHECK(remove_duplicates(pool.columns(), std::vector<Index>{0, 1}, line.points()) ==
          std::vector<Label>{0, 0, 1, 1, 0});
}

TEST_CASE("an emptied column takes the dearest point, weights counted") {
    const Line line{{0, 1, 2, 30}};
    const ColumnPool pool = pool_of(4, {{0, 1, 2, 3}, {1}});
    // Point 1 is nearest to its own singleton, so the second column is never empty here.
    CHECK(remove_duplicates(pool.columns(), std::vector<Index>{0, 1}, line.points()) ==
          std::vector<Label>{0, 1, 0, 0});
    const ColumnPool twins = pool_of(4, {{1, 2}, {0, 1, 2, 3}, {0, 1, 2}, {0, 1}});
    const auto labels = remove_duplicates(twins.columns(), std::vector<Index>{0, 1, 2, 3}, line.points());
    std::vector<int> size(4, 0);
    for (Label label : labels) ++size.at(static_cast<std::size_t>(label));
    CHECK(size == std::vector<int>{1, 1, 1, 1});
}

TEST_CASE("bad choices are refused") {
    const Line line{{0, 1}};
    const ColumnPool pool = pool_of(2, {{0, 1}});
    CHECK_THROWS_AS(remove_duplicates(pool.columns(), std::vector<Index>{1}, line.points()), InvalidInput);
    CHECK_THROWS_AS(remove_duplicates(pool.columns(), std::vector<Index>{}, line.points()), InvalidInput);
    const std::vector<double> weights{1, -1};
    CHECK_THROWS_AS(remove_duplicates(pool.columns(), std::vector<Index>{0}, line.points(weights)),
                    InvalidInput);
}
