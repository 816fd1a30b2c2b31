#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "intarsia/boosting/point_weights.hpp"
#include "intarsia/common/error.hpp"
#include "intarsia/common/rng.hpp"

using namespace intarsia;

namespace {

std::vector<double> random_numbers(std::size_t n, std::uint64_t task) {
    Rng rng(7, Stage::kUser, task);
    std::vector<double> values(n);
    for (double& v : values) v = rng.uniform();
    return values;
}

// The first point whose running sum lies above the number drawn, by looking at all of them.
std::vector<double> plain_draws(const std::vector<double>& weights, Index n_draws, std::uint64_t seed) {
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    std::vector<double> counts(weights.size(), 0.0);
    Rng rng(seed, Stage::kBoosting, 3, 1);
    for (Index draw = 0; draw < n_draws; ++draw) {
        const double value = rng.uniform() * total;
        double sum = 0;
        std::size_t i = 0;
        while ((sum += weights[i]) <= value) ++i;
        counts[i] += 1;
    }
    return counts;
}

}  // namespace

TEST_CASE("a replicate is drawn by weight") {
    for (std::size_t n : {1, 2, 7, 1000}) {
        std::vector<double> weights = random_numbers(n, n);
        if (n > 2) weights[0] = weights[3] = weights[n - 1] = 0;
        if (n > 7) weights[10] = 500;  // half of all
        const auto counts = draw_replicate(weights, 2000, 11, 3, 1);
        CHECK(counts == plain_draws(weights, 2000, 11));
        CHECK(std::accumulate(counts.begin(), counts.end(), 0.0) == 2000);
    }
}

TEST_CASE("weights of extreme sizes") {
    std::vector<double> weights(5000, 1e-300);
    weights[4321] = 1;
    CHECK(draw_replicate(weights, 100, 1, 1, 0)[4321] == 100);
    CHECK_THROWS_AS(draw_replicate(std::vector<double>(3, 0.0), 1, 1, 1, 0), InvalidInput);
    CHECK_THROWS_AS(draw_replicate(std::vector<double>{1, -1}, 1, 1, 1, 0), InvalidInput);
    CHECK_THROWS_AS(draw_replicate(std::vector<double>{1, NAN}, 1, 1, 1, 0), InvalidInput);
}

TEST_CASE("pseudoloss and new weights") {
    const std::size_t n = 5000;
    std::vector<double> weights = random_numbers(n, 1);
    const std::vector<double> quality = random_numbers(n, 2);
    weights[17] = 0;
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (double& w : weights) w /= total;
    double loss = 0, sum = 0;
    std::vector<double> expected(n);
    const double beta = 2.5;
    for (std::size_t i = 0; i < n; ++i) {
        loss += 0.5 * weights[i] * quality[i];
        sum += expected[i] = weights[i] * std::pow(beta, quality[i]);
    }
    CHECK(pseudoloss(weights, quality, 3) == doctest::Approx(loss).epsilon(1e-13));
    const auto found = reweighted(weights, quality, std::log(beta), 3);
    for (std::size_t i = 0; i < n; ++i) CHECK(found[i] == doctest::Approx(expected[i] / sum).epsilon(1e-13));
}

TEST_CASE("new weights never overflow") {
    const std::vector<double> weights{0.5, 0.5, 0};
    const auto found = reweighted(weights, std::vector<double>{1000, 999, 5000}, 20, 1);
    CHECK(found[0] == doctest::Approx(1 / (1 + std::exp(-20))));
    CHECK(found[2] == 0);
    CHECK_THROWS_AS(reweighted(weights, std::vector<double>{1, NAN, 1}, 1, 1), InvalidInput);
    CHECK_THROWS_AS(reweighted(weights, std::vector<double>{1, 1}, 1, 1), InvalidInput);
}
