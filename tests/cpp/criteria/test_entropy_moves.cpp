#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "intarsia/common/rng.hpp"
#include "intarsia/criteria/entropy_moves.hpp"

using namespace intarsia;

namespace {

/// Points on a line, each with its neighbours on both sides around it.
StructuralEntropy line(Index n) {
    std::vector<Index> offsets{0};
    std::vector<Point> ids;
    for (Index i = 0; i < n; ++i) {
        for (Index j = std::max<Index>(0, i - 2); j <= std::min(n - 1, i + 2); ++j)
            ids.push_back(static_cast<Point>(j));
        offsets.push_back(std::ssize(ids));
    }
    return {Neighbourhoods(offsets, ids), 0.9};
}

double cost_of(const StructuralEntropy& entropy, const std::vector<Label>& labels, Index k) {
    double total = 0;
    for (Label c = 0; c < k; ++c) {
        std::vector<Point> members;
        for (Point j = 0; j < std::ssize(labels); ++j)
            if (labels[j] == c) members.push_back(j);
        total += entropy.cost(members);
    }
    return total;
}

}  // namespace

TEST_CASE("a trial that is taken back leaves no trace") {
    const StructuralEntropy entropy = line(40);
    std::vector<Label> labels(40);
    for (Index i = 0; i < 40; ++i) labels[i] = static_cast<Label>(i / 10);
    EntropyMoves moves(entropy, labels, 4, {5, 20});
    moves.improve();
    const auto before = moves.labels();
    const double cost = moves.cost();
    Rng rng(3, Stage::kUser);
    for (Label c = 0; c < 4; ++c) {
        moves.begin_trial();
        moves.close(c, rng);
        CHECK(moves.size(c) == 0);
        moves.open(static_cast<Point>(rng.below(40)), c, 10);
        moves.keep_sizes();
        moves.improve();
        for (Label other = 0; other < 4; ++other) CHECK((moves.size(other) >= 5 && moves.size(other) <= 20));
        CHECK(moves.cost() == doctest::Approx(cost_of(entropy, moves.labels(), 4)));
        CHECK_FALSE(moves.touched().empty());
        moves.take_back();
        CHECK(moves.labels() == before);
        CHECK(moves.cost() == cost);
        moves.improve();
        CHECK(moves.labels() == before);
    }
}

TEST_CASE("closed clusters follow their neighbours") {
    const StructuralEntropy entropy = line(30);
    std::vector<Label> labels(30);
    for (Index i = 0; i < 30; ++i) labels[i] = static_cast<Label>(i / 10);
    EntropyMoves moves(entropy, labels, 3, {});
    Rng rng(4, Stage::kUser);
    moves.close(2, rng);
    for (Index i = 0; i < 30; ++i) CHECK(moves.labels()[i] == (i < 10 ? 0 : 1));
}
