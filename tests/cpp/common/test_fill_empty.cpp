#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "intarsia/common/error.hpp"
#include "intarsia/common/fill_empty.hpp"

using namespace intarsia;

namespace {

struct Filled {
    std::vector<Label> labels;
    Index n_filled;
};

Filled fill(std::vector<Label> labels, const std::vector<double>& costs, Index k) {
    std::vector<Index> sizes(k);
    for (Label c : labels) ++sizes[c];
    const Index n = fill_empty(
        labels, sizes, [&](Index i) { return costs[i]; }, [&](Index i, Label to) { labels[i] = to; });
    return {labels, n};
}

}  // namespace

TEST_CASE("the costliest points go, the lowest of equal ones first, never the last of a cluster") {
    // Point 5 costs most but is alone; 1 and 3 cost the same.
    const Filled filled = fill({0, 0, 0, 0, 0, 2}, {1, 7, 2, 7, 0, 9}, 5);
    CHECK(filled.labels == std::vector<Label>{0, 1, 4, 3, 0, 2});
    CHECK(filled.n_filled == 3);
}

TEST_CASE("nothing happens where no cluster is empty") { CHECK(fill({1, 0, 1}, {1, 2, 3}, 2).n_filled == 0); }

TEST_CASE("more clusters than points and costs that are no numbers are refused") {
    CHECK_THROWS_AS(fill({0, 0}, {1, 2}, 3), InvalidInput);
    CHECK_THROWS_AS(fill({0, 0}, {NAN, NAN}, 2), InvalidInput);
}
