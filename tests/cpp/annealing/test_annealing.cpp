#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "intarsia/annealing/annealing.hpp"
#include "intarsia/common/error.hpp"
#include "intarsia/common/rng.hpp"

using namespace intarsia;

namespace {

constexpr Measure kMeasures[] = {Measure::kCorrectedRand, Measure::kJaccard, Measure::kWallace,
                                 Measure::kNmi};

struct Problem {
    Index n, r, k;
    std::vector<Label> labels, start;
    std::vector<Index> n_classes;
    std::vector<double> member_weights;
    std::vector<Count> point_weights;

    Problem(Index n_, Index r_, Index k_, bool weighted, double missing, std::uint64_t seed = 0)
        : n(n_), r(r_), k(k_) {
        Rng rng(11, Stage::kUser, seed);
        for (Index q = 0; q < r; ++q) n_classes.push_back(2 + static_cast<Index>(rng.below(5)));
        for (Index i = 0; i < n * r; ++i) {
            const auto classes = static_cast<std::uint64_t>(n_classes[static_cast<std::size_t>(i % r)]);
            const bool gone = rng.uniform() < missing;
            labels.push_back(gone ? kNoLabel : static_cast<Label>(rng.below(classes)));
        }
        for (Index q = 0; weighted && q < r; ++q) member_weights.push_back(0.2 + rng.uniform());
        for (Index i = 0; weighted && i < n; ++i)
            point_weights.push_back(1 + static_cast<Count>(rng.below(4)));
        for (Index i = 0; i < n; ++i) start.push_back(static_cast<Label>(i % k));
    }
    LabelledEnsemble ensemble() const {
        return {{labels.data(), n, r}, n_classes, member_weights, point_weights};
    }
};

std::vector<Count> all_counts(const SharedCounts& c) {
    std::vector<Count> all;
    for (Index row = 0; row < c.first_row(c.n_members()); ++row)
        all.insert(all.end(), c.row(row), c.row(row) + c.stride());
    for (Index q = 0; q < c.n_members(); ++q) {
        all.insert(all.end(), c.sizes(q), c.sizes(q) + c.stride());
        for (Count h : {c.pairs(q).both, c.pairs(q).partition, c.pairs(q).member}) all.push_back(h);
    }
    for (Label label = 0; label < c.k(); ++label) all.push_back(c.size(label));
    return all;
}

// The measures written out from the pairs and counts themselves, point by point.
struct Pairwise {
    double both = 0, partition = 0, member = 0, all = 0;
};

Pairwise pairs_by_hand(const Problem& p, const std::vector<Label>& labels, Index q) {
    Pairwise h;
    const LabelledEnsemble e = p.ensemble();
    const auto label = [&](Index i) { return labels[static_cast<std::size_t>(i)]; };
    for (Index i = 0; i < p.n; ++i)
        for (Index j = i; j < p.n; ++j) {
            if (e.labels(i, q) < 0 || e.labels(j, q) < 0) continue;
            const auto a = static_cast<double>(e.weight(i)), b = static_cast<double>(e.weight(j));
            const double pairs = i == j ? a * (a - 1) / 2 : a * b;
            const bool with_us = label(i) == label(j), with_member = e.labels(i, q) == e.labels(j, q);
            h.all += pairs;
            h.partition += with_us ? pairs : 0;
            h.member += with_member ? pairs : 0;
            h.both += with_us && with_member ? pairs : 0;
        }
    return h;
}

double by_hand(Measure measure, const Pairwise& h) {
    const double expected = h.partition * h.member / h.all;
    if (measure == Measure::kCorrectedRand)
        return (h.both - expected) / ((h.partition + h.member) / 2 - expected);
    if (measure == Measure::kJaccard) return h.both / (h.partition + h.member - h.both);
    return h.both / std::sqrt(h.partition * h.member);
}

double mean_by_hand(Measure measure, const Problem& p, const std::vector<Label>& labels) {
    double sum = 0, weights = 0;
    for (Index q = 0; q < p.r; ++q) {
        const double w = p.member_weights.empty() ? 1 : p.member_weights[static_cast<std::size_t>(q)];
        sum += w * by_hand(measure, pairs_by_hand(p, labels, q));
        weights += w;
    }
    return sum / weights;
}

bool has_all_clusters(const std::vector<Label>& labels, Index k) {
    std::vector<Index> sizes(static_cast<std::size_t>(k));
    for (Label label : labels) ++sizes[static_cast<std::size_t>(label)];
    return std::ranges::all_of(sizes, [](Index size) { return size > 0; });
}

}  // namespace

TEST_CASE("a million random moves leave exactly the counts of the final labels, and their value") {
    for (const Measure measure : kMeasures)
        for (const bool weighted : {false, true})
            for (const double missing : {0.0, 0.3}) {
                const Problem p(300, 7, 6, weighted, missing);
                const auto walk = make_mean_agreement(measure, p.ensemble(), p.k);
                walk->load(p.start);
                Rng rng(5, Stage::kUser);
                std::vector<double> work(static_cast<std::size_t>(walk->counts().stride()));
                for (int move = 0; move < 1'000'000; ++move) {
                    const auto point = static_cast<Index>(rng.below(static_cast<std::uint64_t>(p.n)));
                    const auto to = static_cast<Label>(rng.below(static_cast<std::uint64_t>(p.k)));
                    if (to == walk->label(point)) continue;
                    walk->move(point, to, walk->score(point, to, work.data()));
                }
                const auto fresh = make_mean_agreement(measure, p.ensemble(), p.k);
                fresh->load(walk->counts().labels());
                CHECK(all_counts(walk->counts()) == all_counts(fresh->counts()));
                CHECK(std::abs(walk->value() - fresh->value()) <= 1e-12);
            }
}

TEST_CASE("values are those of the definitions, pair by pair") {
    for (const Measure measure : {Measure::kCorrectedRand, Measure::kJaccard, Measure::kWallace})
        for (const bool weighted : {false, true})
            for (const double missing : {0.0, 0.4}) {
                const Problem p(60, 5, 4, weighted, missing);
                const auto agreement = make_mean_agreement(measure, p.ensemble(), p.k);
                agreement->load(p.start);
                CHECK(agreement->value() ==
                      doctest::Approx(mean_by_hand(measure, p, p.start)).epsilon(1e-12));
            }
}

TEST_CASE("all scores of a point at once are what each move gives") {
    for (const Measure measure : kMeasures)
        for (const Index k : {2, 3, 8, 11}) {
            const Problem p(80, 5, k, true, k == 3 ? 0.0 : 0.2);
            const auto agreement = make_mean_agreement(measure, p.ensemble(), p.k);
            const auto moved = make_mean_agreement(measure, p.ensemble(), p.k);
            agreement->load(p.start);
            std::vector<double> scores(static_cast<std::size_t>(agreement->counts().stride()));
            for (Index point = 0; point < p.n; point += 7) {
                agreement->scores(point, scores.data());
                for (Label to = 0; to < k; ++to) {
                    std::vector<Label> labels = p.start;
                    labels[static_cast<std::size_t>(point)] = to;
                    moved->load(labels);
                    CHECK(std::abs(scores[static_cast<std::size_t>(to)] - moved->value()) <= 1e-13);
                }
            }
        }
}

TEST_CASE("what is returned is as good as it says, no worse than the start, and keeps all clusters") {
    for (const Measure measure : kMeasures)
        for (const Acceptance acceptance : {Acceptance::kThreshold, Acceptance::kMetropolis})
            for (const Choice choice : {Choice::kFirst, Choice::kBest})
                for (const Index batch : {1, 16}) {
                    const Problem p(50, 4, 5, batch == 16, 0.1);
                    const auto agreement = make_mean_agreement(measure, p.ensemble(), p.k);
                    AnnealingOptions options;
                    options.acceptance = acceptance;
                    options.choice = choice;
                    options.batch = batch;
                    options.max_loops = 300;
                    const AnnealingResult result = anneal(*agreement, p.start, options);
                    agreement->load(result.labels);
                    CHECK(std::abs(agreement->value() - result.value) <= 1e-13);
                    CHECK(result.value >= *std::ranges::max_element(result.history) - 1e-13);
                    CHECK(has_all_clusters(result.labels, p.k));
                    CHECK(std::ssize(result.history) == result.n_loops + 1);
                }
}

TEST_CASE("after a descent no single change gains") {
    for (const Measure measure : kMeasures)
        for (const Index batch : {1, 32}) {
            const Problem p(90, 6, 4, false, 0.1);
            const auto agreement = make_mean_agreement(measure, p.ensemble(), p.k);
            AnnealingOptions options;
            options.batch = batch;
            const AnnealingResult result = descend(*agreement, p.start, options);
            CHECK(result.converged);
            CHECK(result.history.back() >= *std::ranges::max_element(result.history) - 1e-13);
            std::vector<double> scores(static_cast<std::size_t>(agreement->counts().stride()));
            for (Index point = 0; point < p.n; ++point) {
                if (agreement->counts().is_last(point)) continue;
                agreement->scores(point, scores.data());
                CHECK(*std::max_element(scores.begin(), scores.begin() + p.k) <= result.value + 1e-13);
            }
        }
}

TEST_CASE("the best labels of a long walk are played back right") {
    const Problem p(40, 3, 3, false, 0);
    const auto agreement = make_mean_agreement(Measure::kCorrectedRand, p.ensemble(), p.k);
    AnnealingOptions options;
    options.temperature = 10;  // everything is accepted: many times n moves between one best and the next
    options.max_loops = 400;
    const AnnealingResult result = anneal(*agreement, p.start, options);
    agreement->load(result.labels);
    CHECK(std::abs(agreement->value() - result.value) <= 1e-13);
    CHECK(result.n_moves > 10'000);
}

TEST_CASE("impossible input is refused") {
    Problem p(20, 3, 3, false, 0);
    const auto agreement = make_mean_agreement(Measure::kJaccard, p.ensemble(), p.k);
    AnnealingOptions options;
    CHECK_THROWS_AS(anneal(*agreement, std::vector<Label>(20, 0), options), InvalidInput);
    CHECK_THROWS_AS(anneal(*agreement, std::vector<Label>(19, 0), options), InvalidInput);
    CHECK_THROWS_AS(anneal(*agreement, std::vector<Label>(20, 3), options), InvalidInput);
    options.cooling = 1.5;
    CHECK_THROWS_AS(anneal(*agreement, p.start, options), InvalidInput);
    p.labels[4] = 99;
    CHECK_THROWS_AS(make_mean_agreement(Measure::kNmi, p.ensemble(), p.k), InvalidInput);
}
