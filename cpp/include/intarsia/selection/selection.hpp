#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "intarsia/common/types.hpp"
#include "intarsia/selection/candidates.hpp"

namespace intarsia {

/// Which clusters to choose: minimise
///   -(sum or mean of their goodness) + overlap_cost * (sum of overlap over ordered pairs)
///   + uncovered_cost * (share of the points in none of them).
struct SelectionProblem {
    std::span<const double> goodness;
    MatrixView<const double> overlap;  // symmetric, zero diagonal
    CandidateView candidates;          // of patterns: points that lie in the same candidates
    std::span<const double> n_points;  // of each pattern
    double overlap_cost;
    double uncovered_cost;
    bool by_mean;
};

/// Throws InvalidInput where the parts of a problem do not fit together.
void check_selection(const SelectionProblem& problem);

/// The objective of some candidates, each named once, from its definition.
double selection_objective(const SelectionProblem& problem, std::span<const Point> chosen);

/// Equal objectives, as far as sums of such numbers tell: then more clusters are the better choice.
inline constexpr double kSameObjective = 1e-11;

struct HillResult {
    std::vector<Point> chosen;  // ascending
    double objective = 0;
    Index n_hits = 0;  // starts that ended at this objective
    Index n_moves = 0;
};

/// Steepest descent from n_starts random choices of least to most candidates: the best exchange of one chosen
/// for one that is not, addition or removal, until none helps. A start draws from (seed, its number) alone.
/// A step costs O(members of all candidates + (number chosen) x (candidates)).
HillResult hill_climb(const SelectionProblem& problem, Index least, Index most, Index n_starts,
                      std::uint64_t seed, int n_threads);

}  // namespace intarsia
