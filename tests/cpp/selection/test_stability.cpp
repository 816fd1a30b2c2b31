#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "intarsia/common/error.hpp"
#include "intarsia/common/rng.hpp"
#include "intarsia/selection/stability.hpp"

using namespace intarsia;

namespace {

std::vector<Label> random_labels(std::size_t n, std::uint64_t k, std::uint64_t task) {
    Rng rng(5, Stage::kUser, task);
    std::vector<Label> labels(n);
    for (Label& label : labels) label = static_cast<Label>(rng.below(k + 1)) - 1;
    return labels;
}

// Straight from the definition, on sets of points written out.
double plain_score(const std::vector<Label>& a, Label c, const std::vector<Label>& b, Label k_b) {
    const std::size_t n = a.size();
    std::vector<bool> star(n, false);
    for (Label f = 0; f < k_b; ++f) {
        int size = 0, inside = 0;
        for (std::size_t i = 0; i < n; ++i) {
            size += b[i] == f;
            inside += b[i] == f && a[i] == c;
        }
        if (inside > 0.5 * size)
            for (std::size_t i = 0; i < n; ++i)
                if (b[i] == f) star[i] = true;
    }
    double p[2][2] = {{0, 0}, {0, 0}};
    for (std::size_t i = 0; i < n; ++i) p[a[i] == c][star[i]] += 1.0 / static_cast<double>(n);
    double information = 0, entropies = 0;
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j)
            if (p[i][j] > 0)
                information += p[i][j] * std::log(p[i][j] / ((p[i][0] + p[i][1]) * (p[0][j] + p[1][j])));
        const double own = p[i][0] + p[i][1], other = p[0][i] + p[1][i];
        if (own == 0 || other == 0) return 0;
        entropies -= own * std::log(own) + other * std::log(other);
    }
    return information / (0.5 * entropies);
}

}  // namespace

TEST_CASE("stability is that of the definition") {
    for (std::uint64_t task = 0; task < 40; ++task) {
        const auto a = random_labels(60, 3, task);
        auto b = random_labels(60, 9, task + 100);
        for (std::size_t i = 0; i < b.size(); i += 1 + task % 5) b[i] = a[i];  // some agreement
        const auto scores = cluster_stability(a, 3, b, 9);
        for (Label c = 0; c < 3; ++c)
            CHECK(scores[c] == doctest::Approx(plain_score(a, c, b, 9)).epsilon(1e-12));
    }
}

TEST_CASE("found again, as a union, or not at all") {
    const std::vector<Label> a{0, 0, 0, 0, 1, 1, 2, 2};
    CHECK(cluster_stability(a, 3, std::vector<Label>{3, 3, 1, 1, 0, 0, 2, 2}, 4) ==
          std::vector<double>{1, 1, 1});
    CHECK(cluster_stability(a, 3, std::vector<Label>(8, 0), 1) == std::vector<double>{0, 0, 0});
    CHECK(cluster_stability(a, 4, a, 3)[3] == 0);  // an empty cluster
    CHECK(cluster_stability(a, 3, std::vector<Label>(8, kNoLabel), 0) == std::vector<double>{0, 0, 0});
    CHECK_THROWS_AS(cluster_stability(a, 2, a, 3), InvalidInput);
    CHECK_THROWS_AS(cluster_stability(a, 3, std::vector<Label>{0}, 1), InvalidInput);
}
