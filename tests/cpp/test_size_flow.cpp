#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "intarsia/error.hpp"
#include "intarsia/rng.hpp"
#include "intarsia/size_flow.hpp"

using namespace intarsia;

namespace {

std::vector<Index> sizes_of(const std::vector<Label>& labels, Index k) {
    std::vector<Index> sizes(k);
    for (Label c : labels) ++sizes[c];
    return sizes;
}

}  // namespace

TEST_CASE("an assignment that keeps the bounds is left alone") {
    const std::vector<double> costs{0, 1, 1, 0, 0, 5, 9, 0};
    CHECK(assign_within_sizes({costs.data(), 4, 2}, {1, 4}) == std::vector<Label>{0, 1, 0, 1});
}

TEST_CASE("the cheapest chain of moves empties a full cluster") {
    // Two are cheapest in 0, the third in 1: the way from 0 to 2 is cheap only through 1.
    const std::vector<double> costs{0, 1, 50, 0, 2, 50, 9, 0, 1};
    CHECK(assign_within_sizes({costs.data(), 3, 3}, {1, 1}) == std::vector<Label>{1, 0, 2});
}

TEST_CASE("bounds hold on larger problems, for equal sizes too") {
    const Index n = 500;
    const Index k = 25;
    Rng rng(3, Stage::kUser);
    std::vector<double> costs;
    for (Index i = 0; i < n * k; ++i) costs.push_back(rng.uniform() * static_cast<double>(1 + i % k));
    for (const SizeBounds bounds : {SizeBounds{20, 20}, SizeBounds{1, 30}, SizeBounds{18, n}}) {
        const auto sizes = sizes_of(assign_within_sizes({costs.data(), n, k}, bounds), k);
        CHECK(*std::min_element(sizes.begin(), sizes.end()) >= bounds.min);
        CHECK(*std::max_element(sizes.begin(), sizes.end()) <= bounds.max);
    }
}

TEST_CASE("bounds that nothing can keep are refused") {
    const std::vector<double> costs{0, 1, 1, 0, 0, 5};
    CHECK_THROWS_AS(assign_within_sizes({costs.data(), 3, 2}, {2, 3}), InvalidInput);
    CHECK_THROWS_AS(assign_within_sizes({costs.data(), 3, 2}, {1, 1}), InvalidInput);
}
