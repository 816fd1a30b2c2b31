#include "intarsia/selection/selection.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "chosen.hpp"
#include "intarsia/common/error.hpp"
#include "intarsia/common/parallel.hpp"
#include "intarsia/common/rng.hpp"

namespace intarsia {

namespace {

struct Best {
    Move move;
    double objective;
    Index size;
};

bool is_better(double objective, Index size, double than, Index than_size) {
    if (std::abs(objective - than) > kSameObjective) return objective < than;
    return size > than_size;
}

// The best of all moves that keep the number chosen within its limits; the first of equal ones.
Best best_move(const ChosenClusters& clusters, const SelectionProblem& problem, Index least, Index most) {
    Best best{{}, clusters.objective(), clusters.size()};
    const auto offer = [&](Move move) {
        const double objective = clusters.objective_after(move);
        const Index size = clusters.size() - (move.out != kNobody) + (move.in != kNobody);
        if (is_better(objective, size, best.objective, best.size)) best = {move, objective, size};
    };
    const auto n = static_cast<Point>(problem.goodness.size());
    const auto bring_in = [&](Point out) {
        for (Point in = 0; in < n; ++in)
            if (!clusters.has(in)) offer({out, in});
    };
    for (const Point out : clusters.chosen()) {
        if (clusters.size() > least) offer({out, kNobody});
        bring_in(out);
    }
    if (clusters.size() < most) bring_in(kNobody);
    return best;
}

std::vector<Point> random_choice(Index n, Index least, Index most, Rng rng) {
    const Index size = least + static_cast<Index>(rng.below(static_cast<std::uint64_t>(most - least + 1)));
    std::vector<Point> all(static_cast<std::size_t>(n));
    std::iota(all.begin(), all.end(), 0);
    for (Index i = 0; i < size; ++i)
        std::swap(all[i], all[i + static_cast<Index>(rng.below(static_cast<std::uint64_t>(n - i)))]);
    all.resize(static_cast<std::size_t>(size));
    return all;
}

HillResult climb(const SelectionProblem& problem, Index least, Index most, std::vector<Point> start) {
    ChosenClusters clusters(problem, std::move(start));
    HillResult result;
    for (;;) {
        const Best best = best_move(clusters, problem, least, most);
        if (best.move.in == kNobody && best.move.out == kNobody) break;
        clusters.apply(best.move);
        ++result.n_moves;
    }
    result.chosen = clusters.chosen();
    result.objective = clusters.objective();
    return result;
}

}  // namespace

void check_selection(const SelectionProblem& problem) {
    const auto n = static_cast<Index>(problem.goodness.size());
    if (n == 0) throw InvalidInput("there should be at least one candidate.");
    if (problem.candidates.size() != n || problem.overlap.n_rows() != n || problem.overlap.n_cols() != n)
        throw InvalidInput("goodness, overlap and candidates differ in their number.");
    if (problem.n_points.empty()) throw InvalidInput("there should be at least one pattern.");
    check_candidates(problem.candidates, static_cast<Index>(problem.n_points.size()));
}

double selection_objective(const SelectionProblem& problem, std::span<const Point> chosen) {
    check_selection(problem);
    for (const Point c : chosen)
        if (c < 0 || c >= problem.candidates.size()) throw InvalidInput("a chosen candidate is not there.");
    return ChosenClusters(problem, {chosen.begin(), chosen.end()}).objective();
}

HillResult hill_climb(const SelectionProblem& problem, Index least, Index most, Index n_starts,
                      std::uint64_t seed, int n_threads) {
    check_selection(problem);
    const Index n = problem.candidates.size();
    if (least < 1 || most < least || most > n)
        throw InvalidInput("the number chosen should be from 1 to that of the candidates.");
    if (n_starts < 1) throw InvalidInput("n_starts should be >= 1.");
    std::vector<HillResult> ends(static_cast<std::size_t>(n_starts));
    parallel_for(n_starts, n_threads, [&](Index s) {
        const Rng rng(seed, Stage::kSelection, static_cast<std::uint64_t>(s));
        ends[s] = climb(problem, least, most, random_choice(n, least, most, rng));
    });
    HillResult best = ends.front();
    Index n_moves = 0, n_hits = 0;
    for (const auto& end : ends) {
        n_moves += end.n_moves;
        if (is_better(end.objective, static_cast<Index>(end.chosen.size()), best.objective,
                      static_cast<Index>(best.chosen.size())))
            best = end;
    }
    for (const auto& end : ends) n_hits += std::abs(end.objective - best.objective) <= kSameObjective;
    best.n_moves = n_moves;
    best.n_hits = n_hits;
    return best;
}

}  // namespace intarsia
