#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "intarsia/common/error.hpp"
#include "intarsia/partition/hartigan.hpp"
#include "intarsia/partition/partition.hpp"
#include "intarsia/partition/random_swap.hpp"

using namespace intarsia;

namespace {

struct Problem {
    Index n, d, k;
    std::vector<double> data;
    std::vector<double> weights;
    std::vector<Label> labels;

    Problem(Index n_, Index d_, Index k_, bool weighted) : n(n_), d(d_), k(k_) {
        Rng rng(1, Stage::kUser, static_cast<std::uint64_t>(n * 100 + k));
        for (Index i = 0; i < n * d; ++i) data.push_back(rng.uniform() * 10);
        for (Index i = 0; weighted && i < n; ++i) weights.push_back(0.2 + rng.uniform());
        for (Index i = 0; i < n; ++i) labels.push_back(static_cast<Label>(i < k ? i : rng.below(k)));
    }
    WeightedPoints points() const { return {{data.data(), n, d}, weights}; }
};

}  // namespace

TEST_CASE("the running cost stays the true cost through moves, trials and undo") {
    for (bool weighted : {false, true}) {
        const Problem p(400, 3, 20, weighted);
        Hartigan partition(p.points(), p.k);
        partition.load(p.labels);
        partition.improve();
        Rng rng(2, Stage::kUser);
        for (int trial = 0; trial < 200; ++trial) {
            const std::vector<Label> labels(partition.labels().begin(), partition.labels().end());
            const double cost = partition.cost();
            const auto point = static_cast<Index>(rng.below(p.n));
            const auto c = static_cast<Label>(rng.below(p.k));
            if (partition.labels()[point] == c) continue;
            partition.begin_trial();
            partition.relocate(c, point);
            partition.improve();
            if (trial % 3 == 0) {
                partition.keep();
            } else {
                partition.undo();
                CHECK(std::vector<Label>(partition.labels().begin(), partition.labels().end()) == labels);
                CHECK(partition.cost() == cost);
            }
            const auto truth = summarise(p.points(), partition.labels(), p.k);
            REQUIRE(partition.cost() == doctest::Approx(truth.total).epsilon(1e-10));
        }
        CHECK(partition.improve() == 0);
    }
}

TEST_CASE("random swaps never raise the cost and say what they kept") {
    const Problem p(300, 2, 15, false);
    Hartigan partition(p.points(), p.k);
    partition.load(p.labels);
    partition.improve();
    Rng rng(3, Stage::kRandomSwap);
    double before = partition.cost();
    for (int round = 0; round < 5; ++round) {
        const auto counts = random_swaps(partition, 50, rng);
        CHECK(counts.tried == 50);
        CHECK(partition.cost() <= before);
        CHECK((counts.kept > 0) == (partition.cost() < before));
        before = partition.cost();
    }
}

TEST_CASE("bad partitions are refused") {
    const Problem p(10, 2, 3, false);
    Hartigan partition(p.points(), p.k);
    std::vector<Label> labels(10, 0);
    CHECK_THROWS_AS(partition.load(labels), InvalidInput);
    labels.assign(10, 3);
    CHECK_THROWS_AS(partition.load(labels), InvalidInput);
    CHECK_THROWS_AS(partition.load(std::vector<Label>(9, 0)), InvalidInput);
    CHECK_THROWS_AS(Hartigan(p.points(), 11), InvalidInput);
    const std::vector<double> weights(10, 0.0);
    CHECK_THROWS_AS(Hartigan({p.points().x, weights}, 3), InvalidInput);
    CHECK_THROWS_AS(Hartigan({p.points().x, {weights.data(), 9}}, 3), InvalidInput);
}

TEST_CASE("under size bounds exchanges keep the sizes and the running cost") {
    for (bool weighted : {false, true}) {
        Problem p(120, 3, 12, weighted);
        for (Index i = 0; i < p.n; ++i) p.labels[i] = static_cast<Label>(i % p.k);
        Hartigan partition(p.points(), p.k, {10, 10});
        partition.load(p.labels);
        const double before = partition.cost();
        CHECK(partition.improve() > 0);
        CHECK(partition.cost() < before);
        for (Label c = 0; c < p.k; ++c) CHECK(partition.size(c) == 10);
        const auto truth = summarise(p.points(), partition.labels(), p.k);
        CHECK(partition.cost() == doctest::Approx(truth.total).epsilon(1e-10));
        CHECK(partition.improve() == 0);
    }
}
