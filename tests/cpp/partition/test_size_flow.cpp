#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "intarsia/common/error.hpp"
#include "intarsia/common/rng.hpp"
#include "intarsia/partition/size_flow.hpp"

using namespace intarsia;

namespace {

std::vector<Index> sizes_of(const std::vector<Label>& labels, Index k) {
    std::vector<Index> sizes(k);
    for (Label c : labels) ++sizes[c];
    return sizes;
}

std::vector<Label> assigned(MatrixView<const double> costs, SizeLimits limits) {
    std::vector<double> prices(costs.n_cols() + 1, 0.0);
    const auto row = [&](Index i, double* out) { std::copy_n(costs.row(i), costs.n_cols(), out); };
    return assign_within_sizes({costs.n_rows(), costs.n_cols(), row}, limits, prices);
}

}  // namespace

TEST_CASE("an assignment that keeps the limits is left alone") {
    const std::vector<double> costs{0, 1, 1, 0, 0, 5, 9, 0};
    CHECK(assigned({costs.data(), 4, 2}, {1, 4}) == std::vector<Label>{0, 1, 0, 1});
}

TEST_CASE("the cheapest chain of moves empties a full cluster") {
    // Two are cheapest in 0, the third in 1: the way from 0 to 2 is cheap only through 1.
    const std::vector<double> costs{0, 1, 50, 0, 2, 50, 9, 0, 1};
    CHECK(assigned({costs.data(), 3, 3}, {1, 1}) == std::vector<Label>{1, 0, 2});
}

TEST_CASE("limits hold on larger problems, for equal sizes too") {
    const Index n = 500;
    const Index k = 25;
    Rng rng(3, Stage::kUser);
    std::vector<double> costs;
    for (Index i = 0; i < n * k; ++i) costs.push_back(rng.uniform() * static_cast<double>(1 + i % k));
    for (const SizeLimits limits : {SizeLimits{20, 20}, SizeLimits{1, 30}, SizeLimits{18, n}}) {
        const auto sizes = sizes_of(assigned({costs.data(), n, k}, limits), k);
        CHECK(*std::min_element(sizes.begin(), sizes.end()) >= limits.least);
        CHECK(*std::max_element(sizes.begin(), sizes.end()) <= limits.most);
    }
}

TEST_CASE("points that have no candidate in common find their way") {
    // Two groups of clusters so far apart that nobody's cheapest few are in the other group; all points lie
    // in the first.
    const Index k = 60;
    const Index n = 120;
    Rng rng(5, Stage::kUser);
    std::vector<double> costs;
    for (Index i = 0; i < n * k; ++i) costs.push_back(rng.uniform() + (i % k < k / 2 ? 0.0 : 1000.0));
    const auto labels = assigned({costs.data(), n, k}, {2, 2});
    double total = 0;
    for (Index i = 0; i < n; ++i) total += costs[i * k + labels[i]];
    for (Index size : sizes_of(labels, k)) CHECK(size == 2);
    CHECK(total < 60 * 1000 + 60);
}

TEST_CASE("limits that nothing can keep are refused") {
    const std::vector<double> costs{0, 1, 1, 0, 0, 5};
    CHECK_THROWS_AS(assigned({costs.data(), 3, 2}, {2, 3}), InvalidInput);
    CHECK_THROWS_AS(assigned({costs.data(), 3, 2}, {1, 1}), InvalidInput);
}
