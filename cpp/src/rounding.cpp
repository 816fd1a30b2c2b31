#include "intarsia/rounding.hpp"

#include <algorithm>
#include <queue>

#include "intarsia/error.hpp"
#include "intarsia/reduced_costs.hpp"

namespace intarsia {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

struct Candidate {
    double score;
    Index column;
    double noise;

    /// std::priority_queue keeps the largest on top; ties to the lower id.
    bool operator<(const Candidate& other) const {
        return score != other.score ? score > other.score : column > other.column;
    }
};

std::vector<Index> least_reduced(std::span<const double> reduced_costs, Index count) {
    std::vector<double> scratch;
    std::vector<Index> positions;
    smallest_positions(reduced_costs, count, scratch, positions);
    return positions;
}

double mean_cost(const Columns& columns, std::span<const Index> chosen) {
    double total = 0;
    for (Index j : chosen) total += columns.costs[at(j)];
    return total / static_cast<double>(chosen.size());
}

class Greedy {
  public:
    Greedy(const Columns& columns, std::span<const double> multipliers)
        : columns_(columns), multipliers_(multipliers), covered_(at(columns.n_points), 0) {}

    void offer(Index column, double reduced_cost, double noise) {
        heap_.push({reduced_cost + noise, column, noise});
    }

    /// Scores only rise as points get covered, so a top that is still right after a fresh look is the best.
    Index take() {
        for (;;) {
            Candidate top = heap_.top();
            heap_.pop();
            top.score = fresh_score(top);
            if (heap_.empty() || !(top < heap_.top())) {
                for (Point i : columns_[top.column]) covered_[at(i)] = 1;
                return top.column;
            }
            heap_.push(top);
        }
    }

  private:
    double fresh_score(const Candidate& candidate) const {
        double gain = 0;
        for (Point i : columns_[candidate.column]) gain += covered_[at(i)] ? 0.0 : multipliers_[at(i)];
        return columns_.costs[at(candidate.column)] - gain + candidate.noise;
    }

    const Columns& columns_;
    std::span<const double> multipliers_;
    std::vector<char> covered_;
    std::priority_queue<Candidate> heap_;
};

}  // namespace

std::vector<Index> round_lagrangian(const Columns& columns, Index k, std::span<const double> multipliers,
                                    std::span<const double> reduced_costs, const RoundingOptions& options,
                                    Rng rng) {
    check_cardinality(k, columns.size());
    const auto wanted = std::max(k, static_cast<Index>(options.candidate_factor * static_cast<double>(k)));
    const std::vector<Index> candidates = least_reduced(reduced_costs, std::min(wanted, columns.size()));
    if (std::ssize(candidates) < k) throw InvalidInput("reduced costs should be numbers, got NaN.");
    const double scale = options.noise * mean_cost(columns, least_reduced(reduced_costs, k));
    Greedy greedy(columns, multipliers);
    for (Index j : candidates) greedy.offer(j, reduced_costs[at(j)], scale * rng.uniform());
    std::vector<Index> chosen(at(k));
    for (Index& column : chosen) column = greedy.take();
    return chosen;
}

}  // namespace intarsia
