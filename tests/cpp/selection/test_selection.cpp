#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "../../../cpp/src/selection/chosen.hpp"
#include "intarsia/common/error.hpp"
#include "intarsia/common/rng.hpp"

using namespace intarsia;

namespace {

struct Case {
    std::vector<double> goodness, overlap, n_points;
    std::vector<Index> offsets{0};
    std::vector<Point> members;

    SelectionProblem problem(bool by_mean) const {
        const auto n = static_cast<Index>(goodness.size());
        return {goodness, {overlap.data(), n, n}, {offsets, members}, n_points, 0.4, 5, by_mean};
    }
};

Case random_case(Index n, Index n_patterns, std::uint64_t task) {
    Rng rng(9, Stage::kUser, task);
    Case made;
    for (Index p = 0; p < n_patterns; ++p) made.n_points.push_back(1 + static_cast<double>(rng.below(5)));
    for (Index c = 0; c < n; ++c) {
        made.goodness.push_back(rng.uniform());
        for (Index p = 0; p < n_patterns; ++p)
            if (rng.below(3) == 0) made.members.push_back(static_cast<Point>(p));
        made.offsets.push_back(static_cast<Index>(made.members.size()));
    }
    made.overlap.assign(static_cast<std::size_t>(n * n), 0);
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < i; ++j) made.overlap[i * n + j] = made.overlap[j * n + i] = rng.uniform();
    return made;
}

double plain_objective(const Case& of, const std::vector<Point>& chosen, bool by_mean) {
    double goodness = 0, overlap = 0, uncovered = 0, all = 0;
    const std::size_t n = of.goodness.size();
    for (const Point i : chosen) {
        goodness += of.goodness[i];
        for (const Point j : chosen) overlap += of.overlap[i * n + j];
    }
    for (std::size_t p = 0; p < of.n_points.size(); ++p) {
        all += of.n_points[p];
        bool covered = false;
        for (const Point c : chosen)
            for (Index at = of.offsets[c]; at < of.offsets[c + 1]; ++at)
                covered = covered || of.members[at] == static_cast<Point>(p);
        if (!covered) uncovered += of.n_points[p];
    }
    if (by_mean) goodness /= static_cast<double>(std::max<std::size_t>(chosen.size(), 1));
    return -goodness + 0.4 * overlap + 5 * uncovered / all;
}

}  // namespace

TEST_CASE("every move is worth what a fresh count says") {
    for (const bool by_mean : {false, true}) {
        const Case made = random_case(9, 30, 1);
        const auto problem = made.problem(by_mean);
        ChosenClusters clusters(problem, {1, 4, 7});
        CHECK(clusters.objective() ==
              doctest::Approx(plain_objective(made, {1, 4, 7}, by_mean)).epsilon(1e-13));
        for (const Point out : {kNobody, Point{1}, Point{4}, Point{7}}) {
            std::vector<Point> left{1, 4, 7};
            std::erase(left, out);
            const auto is_right = [&](Move move, const std::vector<Point>& then) {
                const double plain = plain_objective(made, then, by_mean);
                CHECK(clusters.objective_after(move) == doctest::Approx(plain).epsilon(1e-13));
            };
            is_right({out, kNobody}, left);
            for (Point in = 0; in < 9; ++in) {
                if (clusters.has(in)) continue;
                auto with = left;
                with.push_back(in);
                is_right({out, in}, with);
            }
        }
        clusters.apply({4, 2});
        CHECK(clusters.chosen() == std::vector<Point>{1, 2, 7});
        CHECK(clusters.objective() ==
              doctest::Approx(plain_objective(made, {1, 2, 7}, by_mean)).epsilon(1e-13));
    }
}

TEST_CASE("many starts find the best of all choices") {
    for (std::uint64_t task = 0; task < 12; ++task) {
        const Case made = random_case(10, 40, task);
        const bool by_mean = task % 2 == 1;
        const Index least = by_mean ? 1 : 4, most = by_mean ? 10 : 4;
        double best = INFINITY;
        for (unsigned set = 1; set < 1024; ++set) {
            if (std::popcount(set) < least || std::popcount(set) > most) continue;
            std::vector<Point> chosen;
            for (Point c = 0; c < 10; ++c)
                if (set >> c & 1) chosen.push_back(c);
            best = std::min(best, plain_objective(made, chosen, by_mean));
        }
        const auto found = hill_climb(made.problem(by_mean), least, most, 200, 3, 2);
        CHECK(found.objective == doctest::Approx(best).epsilon(1e-12));
        CHECK(found.n_hits > 0);
    }
}

TEST_CASE("of equal objectives more clusters are chosen") {
    Case made;  // a union of two, and its parts: all as good, all covered
    made.goodness = {1, 1, 1, 1};
    made.n_points = {5, 5, 5};
    made.members = {0, 1, 0, 1, 2};
    made.offsets = {0, 2, 3, 4, 5};
    made.overlap = {0, 1, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
    CHECK(hill_climb(made.problem(true), 1, 4, 50, 0, 1).chosen == std::vector<Point>{1, 2, 3});
    CHECK_THROWS_AS(hill_climb(made.problem(true), 0, 4, 50, 0, 1), InvalidInput);
    CHECK_THROWS_AS(hill_climb(made.problem(true), 1, 5, 50, 0, 1), InvalidInput);
    CHECK_THROWS_AS(selection_objective(made.problem(true), std::vector<Point>{4}), InvalidInput);
}
