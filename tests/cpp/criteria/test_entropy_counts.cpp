#include <doctest/doctest.h>

#include <vector>

#include "intarsia/common/rng.hpp"
#include "intarsia/criteria/entropy_counts.hpp"

using namespace intarsia;

namespace {

/// Every point has itself and about a third of the others around it.
Neighbourhoods random_neighbourhoods(Index n, Rng& rng) {
    std::vector<Index> offsets{0};
    std::vector<Point> ids;
    for (Point i = 0; i < n; ++i) {
        for (Point j = 0; j < n; ++j)
            if (i == j || rng.below(3) == 0) ids.push_back(j);
        offsets.push_back(std::ssize(ids));
    }
    return {offsets, ids};
}

std::vector<Point> members_of(const std::vector<Label>& labels, Label c, Point left_out = -1) {
    std::vector<Point> members;
    for (Point j = 0; j < std::ssize(labels); ++j)
        if (labels[j] == c && j != left_out) members.push_back(j);
    return members;
}

}  // namespace

TEST_CASE("holders are the neighbourhoods turned around") {
    Rng rng(1, Stage::kUser);
    const Neighbourhoods around = random_neighbourhoods(15, rng);
    for (Point j = 0; j < 15; ++j) {
        std::vector<Point> expected;
        for (Point i = 0; i < 15; ++i)
            for (Point other : around.around(i))
                if (other == j) expected.push_back(i);
        CHECK(std::vector<Point>(around.holders(j).begin(), around.holders(j).end()) == expected);
    }
}

TEST_CASE("insertions and removals are differences of costs") {
    for (double alpha : {0.4, 0.9, 1.0, 1.7}) {
        Rng rng(2, Stage::kUser);
        const Index n = 20, k = 4;
        const StructuralEntropy entropy(random_neighbourhoods(n, rng), alpha);
        std::vector<Label> labels(n);
        EntropyCounts counts(entropy);
        for (Point j = 0; j < n; ++j) counts.add(j, labels[j] = static_cast<Label>(rng.below(k)));
        for (int step = 0; step < 40; ++step) {
            const auto j = static_cast<Point>(rng.below(n));
            const auto to = static_cast<Label>(rng.below(k));
            const Label from = labels[j];
            const double without = entropy.cost(members_of(labels, from, j));
            CHECK(counts.removal(j, from) / n ==
                  doctest::Approx(entropy.cost(members_of(labels, from)) - without).epsilon(1e-10));
            counts.remove(j, from);
            labels[j] = kNoLabel;
            const double before = entropy.cost(members_of(labels, to));
            const double insertion = counts.insertion(j, to) / n;
            counts.add(j, labels[j] = to);
            CHECK(insertion == doctest::Approx(entropy.cost(members_of(labels, to)) - before).epsilon(1e-10));
        }
        double total = 0;
        for (Label c = 0; c < k; ++c) total += entropy.cost(members_of(labels, c));
        CHECK(counts.total() / n == doctest::Approx(total));
    }
}
