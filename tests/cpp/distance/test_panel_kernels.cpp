#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "intarsia/common/rng.hpp"
#include "intarsia/distance/panel_kernels.hpp"

using namespace intarsia;

namespace {

constexpr Index kDims = 5;

std::vector<double> draw(Index n, double low, double high) {
    Rng rng(4, Stage::kUser, static_cast<std::uint64_t>(n));
    std::vector<double> values(static_cast<std::size_t>(n));
    for (double& v : values) v = low + (high - low) * rng.uniform();
    return values;
}

}  // namespace

TEST_CASE("softmax is exp over its sum, from tiny to equal scores") {
    const Index k = 6;
    auto scores = draw(k * kPanel, -800, 0);
    for (Index i = 0; i < 20; ++i)
        for (Index c = 0; c < k; ++c) scores[c * kPanel + i] /= 400;
    const auto before = scores;
    std::vector<double> largest(kPanel), total(kPanel);
    panel_kernels().softmax(scores.data(), k, largest.data(), total.data());
    for (Index i = 0; i < kPanel; ++i) {
        double top = before[i], sum = 0;
        for (Index c = 0; c < k; ++c) top = std::max(top, before[c * kPanel + i]);
        for (Index c = 0; c < k; ++c) sum += std::exp(before[c * kPanel + i] - top);
        CHECK(largest[i] == top);
        CHECK(total[i] == doctest::Approx(sum).epsilon(1e-15));
        for (Index c = 0; c < k; ++c) {
            const double share = std::exp(before[c * kPanel + i] - top) / sum;
            CHECK(std::abs(scores[c * kPanel + i] - share) <= 4e-16 + 1e-14 * share);
        }
    }
}

TEST_CASE("moments and distances are the plain sums") {
    const auto panel = draw(kDims * kPanel, -3, 5);
    const auto r = draw(kPanel, 0, 1);
    const auto triangle = draw(kDims * (kDims + 1) / 2, -1, 1);
    std::vector<double> full(1 + kDims + kDims * (kDims + 1) / 2, 0.0), diagonal(1 + 2 * kDims, 0.0);
    std::vector<double> norms(kPanel);
    panel_kernels().full_moments(panel.data(), kDims, r.data(), full.data());
    panel_kernels().diagonal_moments(panel.data(), kDims, r.data(), diagonal.data());
    panel_kernels().quadratic(panel.data(), kDims, triangle.data(), norms.data());
    for (Index a = 0; a < kDims; ++a)
        for (Index b = 0; b <= a; ++b) {
            double second = 0;
            for (Index i = 0; i < kPanel; ++i) second += r[i] * panel[a * kPanel + i] * panel[b * kPanel + i];
            CHECK(full[1 + kDims + a * (a + 1) / 2 + b] == doctest::Approx(second).epsilon(1e-12));
            if (a == b) CHECK(diagonal[1 + kDims + a] == doctest::Approx(second).epsilon(1e-12));
        }
    for (Index i = 0; i < kPanel; ++i) {
        double norm = 0;
        for (Index a = 0; a < kDims; ++a) {
            double y = 0;
            for (Index b = 0; b <= a; ++b) y += triangle[a * (a + 1) / 2 + b] * panel[b * kPanel + i];
            norm += y * y;
        }
        CHECK(norms[i] == doctest::Approx(norm).epsilon(1e-12));
    }
}

TEST_CASE("inverse shares are reciprocal costs that sum to one") {
    const Index k = 3;
    auto costs = draw(k * kPanel, 0.1, 9);
    const auto before = costs;
    std::vector<double> smallest(kPanel), total(kPanel);
    panel_kernels().inverse_shares(costs.data(), k, smallest.data(), total.data());
    for (Index i = 0; i < kPanel; ++i) {
        double sum = 0;
        for (Index c = 0; c < k; ++c) sum += 1 / before[c * kPanel + i];
        for (Index c = 0; c < k; ++c)
            CHECK(costs[c * kPanel + i] == doctest::Approx(1 / before[c * kPanel + i] / sum).epsilon(1e-13));
        CHECK(smallest[i] / total[i] == doctest::Approx(1 / sum).epsilon(1e-13));
    }
}
