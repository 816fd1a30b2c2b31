#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "intarsia/common/rng.hpp"
#include "intarsia/pool/expansion.hpp"

using namespace intarsia;

namespace {

struct Line {
    std::vector<double> x;
    WeightedPoints points() const { return {{x.data(), static_cast<Index>(x.size()), 1}, {}}; }
};

}  // namespace

TEST_CASE("nested columns grow by the nearest and shrink by the farthest") {
    const Line line{{0, 1, 2, 10, 11, 30}};
    ColumnPool pool(6);
    const std::vector<Label> labels{0, 0, 0, 1, 1, 1};
    CHECK(expand_partition(pool, line.points(), labels, 2, 2, {}, 4, 1) == 10);
    CHECK(pool.find(std::vector<Point>{0, 1, 2, 3}) >= 0);
    CHECK(pool.find(std::vector<Point>{0, 1, 2, 3, 4}) >= 0);
    CHECK(pool.find(std::vector<Point>{1, 2}) >= 0);
    CHECK(pool.find(std::vector<Point>{1}) >= 0);
    CHECK(pool.find(std::vector<Point>{3, 4}) >= 0);
    CHECK(pool.find(std::vector<Point>{2, 3, 4, 5}) >= 0);
    CHECK(pool.origins()[0] == 4);
    CHECK(pool.costs()[pool.find(std::vector<Point>{1, 2})] == doctest::Approx(0.5));
}

TEST_CASE("size bounds hold and no column is empty") {
    const Line line{{0, 1, 2, 10, 11, 30}};
    ColumnPool pool(6);
    const std::vector<Label> labels{0, 0, 0, 1, 1, 1};
    expand_partition(pool, line.points(), labels, 2, 10, {2, 4}, 0, 1);
    for (Index j = 0; j < pool.size(); ++j) {
        CHECK(std::ssize(pool.columns()[j]) >= 2);
        CHECK(std::ssize(pool.columns()[j]) <= 4);
    }
    ColumnPool free(6);
    expand_partition(free, line.points(), labels, 2, 10, {}, 0, 1);
    for (Index j = 0; j < free.size(); ++j) CHECK(std::ssize(free.columns()[j]) >= 1);
}

TEST_CASE("the pool is the same for any number of threads") {
    Rng rng(3, Stage::kUser);
    Line line;
    std::vector<Label> labels;
    for (int i = 0; i < 3000; ++i) {
        line.x.push_back(rng.uniform());
        labels.push_back(static_cast<Label>(rng.below(50)));
    }
    ColumnPool reference(3000);
    expand_partition(reference, line.points(), labels, 50, 10, {}, 0, 1);
    for (int n_threads : {2, 3, 7}) {
        ColumnPool pool(3000);
        expand_partition(pool, line.points(), labels, 50, 10, {}, 0, n_threads);
        CHECK(std::ranges::equal(pool.members().span(), reference.members().span()));
        CHECK(std::ranges::equal(pool.costs().span(), reference.costs().span()));
    }
}
