#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "intarsia/common/rng.hpp"
#include "intarsia/kmeans/block_means.hpp"

using namespace intarsia;

namespace {

std::vector<double> plain_mean(const WeightedPoints& points, const std::vector<Label>& labels, Label c) {
    std::vector<double> mean(static_cast<std::size_t>(points.n_dims()), 0.0);
    double weight = 0;
    for (Index i = 0; i < points.n_points(); ++i) {
        if (labels[i] != c) continue;
        weight += points.weight(i);
        for (Index j = 0; j < points.n_dims(); ++j) mean[j] += points.weight(i) * points.x(i, j);
    }
    for (double& m : mean) m /= weight;
    return mean;
}

// After any changes of labels the means have the bits of means that start from these labels.
void follow_means(Index d, Index k, bool weighted) {
    const Index n = 1500;
    Rng rng(5, Stage::kUser, static_cast<std::uint64_t>(d));
    std::vector<double> x(static_cast<std::size_t>(n * d)), w(weighted ? n : 0), got(k * d), fresh(k * d);
    for (double& v : x) v = rng.uniform();
    for (double& v : w) v = static_cast<double>(rng.below(3));
    const WeightedPoints points{{x.data(), n, d}, w};
    std::vector<Label> labels(static_cast<std::size_t>(n));
    for (Index i = 0; i < n; ++i) labels[i] = static_cast<Label>(i % k);
    BlockMeans<double> means(points, k, 3);
    for (Index round = 0; round < 6; ++round) {
        means.group(labels);
        means.move({}, {got.data(), k, d});
        BlockMeans<double> anew(points, k, 1);
        anew.group(labels);
        anew.move({}, {fresh.data(), k, d});
        CHECK(got == fresh);
        CHECK(means.sizes() == anew.sizes());
        for (Label c = 0; c < k; ++c) {
            const auto mean = plain_mean(points, labels, c);
            CHECK(means.sizes()[c] == std::ranges::count(labels, c));
            for (Index j = 0; j < d; ++j) CHECK(got[c * d + j] == doctest::Approx(mean[j]).epsilon(1e-12));
        }
        for (int moves = 0; moves < 20; ++moves) labels[rng.below(n)] = static_cast<Label>(rng.below(k));
    }
}

}  // namespace

TEST_CASE("means that follow labels are those of adding up everything") {
    for (Index d : {1, 2, 8, 11})
        for (Index k : {1, 3, 40, 100}) {
            follow_means(d, k, false);
            follow_means(d, k, true);
        }
}

TEST_CASE("a cluster without weight keeps its centre") {
    const std::vector<double> x{1, 2, 3}, w{1, 1, 0};
    std::vector<double> centres{0, 9};
    BlockMeans<double> means({{x.data(), 3, 1}, w}, 2, 1);
    means.group(std::vector<Label>{0, 0, 1});
    means.move({}, {centres.data(), 2, 1});
    CHECK(centres == std::vector<double>{1.5, 9});
}
