#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "intarsia/common/error.hpp"
#include "intarsia/partition/partition.hpp"
#include "intarsia/pool/swap_search.hpp"

using namespace intarsia;

namespace {

struct Problem {
    Index n, d, k;
    std::vector<double> data, weights;
    std::vector<Label> labels;

    Problem(Index n_, Index d_, Index k_, bool weighted) : n(n_), d(d_), k(k_) {
        Rng rng(7, Stage::kUser, static_cast<std::uint64_t>(n * 100 + k));
        for (Index i = 0; i < n * d; ++i) data.push_back(rng.uniform());
        for (Index i = 0; weighted && i < n; ++i) weights.push_back(0.2 + 5 * rng.uniform());
        for (Index i = 0; i < n; ++i) labels.push_back(static_cast<Label>(i % k));
    }
    WeightedPoints points() const { return {{data.data(), n, d}, weights}; }
    double cost(std::span<const Label> of) const { return summarise(points(), of, k).total; }
    SwapSearchResult search(const SwapSearchOptions& options, std::uint64_t substream = 0) const {
        Rng rng(3, Stage::kSearch, 1, substream);
        return swap_search(points(), labels, k, options, rng);
    }
};

SwapSearchOptions options_for(Index n_swaps, SizeLimits sizes = {}) {
    SwapSearchOptions options;
    options.n_swaps = n_swaps;
    options.sizes = sizes;
    return options;
}

std::vector<Index> sizes_of(std::span<const Label> labels, Index k) {
    std::vector<Index> sizes(static_cast<std::size_t>(k), 0);
    for (Label label : labels) ++sizes[static_cast<std::size_t>(label)];
    return sizes;
}

bool same(const ColumnPool& a, const ColumnPool& b) {
    if (a.size() != b.size()) return false;
    for (Index j = 0; j < a.size(); ++j)
        if (!std::ranges::equal(a.columns()[j], b.columns()[j]) || a.costs()[j] != b.costs()[j]) return false;
    return true;
}

void check_columns(const Problem& p, const ColumnPool& columns, const SizeLimits& sizes) {
    for (Index j = 0; j < columns.size(); ++j) {
        const auto members = columns.columns()[j];
        REQUIRE(std::ranges::adjacent_find(members, std::greater_equal<>()) == members.end());
        REQUIRE(columns.costs()[j] == column_sse(p.points(), members));
        REQUIRE(std::ssize(members) >= sizes.least);
        REQUIRE(std::ssize(members) <= sizes.most);
    }
}

}  // namespace

TEST_CASE("collected columns are sorted and have exact costs, and the result is no worse") {
    for (bool weighted : {false, true}) {
        const Problem p(250, 3, 12, weighted);
        const auto result = p.search(options_for(300));
        CHECK(result.columns.size() > 12);
        CHECK(result.counts.tried == 300);
        CHECK(p.cost(result.labels) < p.cost(p.labels));
        check_columns(p, result.columns, {});
        // A partition that nothing improves comes back as good as it was.
        Rng rng(5, Stage::kSearch);
        const auto again = swap_search(p.points(), result.labels, p.k, options_for(50), rng);
        CHECK(p.cost(again.labels) <= p.cost(result.labels) * (1 + 1e-12));
    }
}

TEST_CASE("size bounds hold for the result and for every collected column") {
    for (const SizeLimits bounds :
         {SizeLimits{15, 25}, SizeLimits{20, 20}, SizeLimits{1, 21}, SizeLimits{18, 240}}) {
        const Problem p(240, 2, 12, true);
        const auto result = p.search(options_for(300, bounds));
        CHECK(std::ranges::all_of(sizes_of(result.labels, p.k),
                                  [&](Index size) { return size >= bounds.least && size <= bounds.most; }));
        CHECK(p.cost(result.labels) <= p.cost(p.labels));
        check_columns(p, result.columns, bounds);
    }
}

TEST_CASE("equal streams repeat the search, other streams do not") {
    const Problem p(200, 2, 10, true);
    const auto a = p.search(options_for(60)), b = p.search(options_for(60)), c = p.search(options_for(60), 1);
    CHECK(a.labels == b.labels);
    CHECK(same(a.columns, b.columns));
    CHECK_FALSE(same(a.columns, c.columns));
}

TEST_CASE("the unit of the weights does not change the search") {
    const Problem p(200, 2, 10, true);
    Problem heavy = p;
    for (double& w : heavy.weights) w *= 1024;  // a power of two: no rounding
    const auto a = p.search(options_for(200)), b = heavy.search(options_for(200));
    CHECK(a.labels == b.labels);
    CHECK(a.columns.size() == b.columns.size());
}

TEST_CASE("no seconds means no trial, and a local search that ends at once") {
    const Problem p(200, 2, 10, false);
    SwapSearchOptions options = options_for(1000);
    options.seconds = -1;
    const auto result = p.search(options);
    CHECK(result.counts.tried == 0);
    CHECK(result.columns.size() == 0);
    CHECK(p.cost(result.labels) <= p.cost(p.labels));
}

TEST_CASE("work ends the swaps") {
    const Problem p(200, 2, 10, false);
    SwapSearchOptions options = options_for(1000);
    const auto whole = p.search(options);
    options.max_work = whole.work / 2;
    const auto half = p.search(options);
    CHECK(half.work >= options.max_work);
    CHECK(half.counts.tried < whole.counts.tried);
}

TEST_CASE("absorb adds what is new, in order, under one origin") {
    ColumnPool pool(4), other(4);
    const std::vector<Point> a{0, 1}, b{2, 3}, c{1, 2};
    pool.add(a, 1.0, 5);
    other.add(b, 2.0, 0);
    other.add(a, 9.0, 0);
    other.add(c, 3.0, 0);
    pool.absorb(other, 8);
    REQUIRE(pool.size() == 3);
    CHECK(pool.costs()[0] == 1.0);  // the column that was there keeps its cost and origin
    CHECK(pool.origins()[0] == 5);
    CHECK(pool.find(b) == 1);
    CHECK(pool.find(c) == 2);
    CHECK(pool.origins()[2] == 8);
    CHECK(other.size() == 3);
    CHECK_THROWS_AS(pool.absorb(ColumnPool(5), 0), InvalidInput);
}

TEST_CASE("absorbing a pool into itself changes nothing") {
    ColumnPool pool(3);
    pool.add(std::vector<Point>{0, 2}, 1.0, 0);
    pool.absorb(pool, 1);
    CHECK(pool.size() == 1);
}

TEST_CASE("trials that are impossible use patience up: a search of nothing else ends") {
    const Problem p(6, 1, 6, false);  // every cluster is one point
    SwapSearchOptions options = options_for(Index{1} << 40);
    options.least_gain = 1e-3;
    const auto result = p.search(options);
    CHECK(result.cost == 0);
    CHECK(result.counts.kept == 0);
}

TEST_CASE("a partition that costs nothing ends the search") {
    Problem p(30, 1, 6, false);
    for (Index i = 0; i < p.n; ++i)
        p.data[i] = static_cast<double>(p.labels[i]);  // five equal points a cluster
    SwapSearchOptions options = options_for(Index{1} << 40);
    options.least_gain = 1e-3;
    const auto result = p.search(options);
    CHECK(result.counts.tried == 0);
    CHECK(p.cost(result.labels) == 0);
}
