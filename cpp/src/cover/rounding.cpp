#include "intarsia/cover/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <utility>

#include "intarsia/common/error.hpp"

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
    for (Index j : chosen) total += std::abs(columns.costs[at(j)]);
    return total / static_cast<double>(chosen.size());
}

class Greedy {
  public:
    Greedy(const Columns& columns, std::span<const double> multipliers)
        : columns_(columns),
          multipliers_(multipliers),
          n_uncovered_(columns.n_points),
          covered_(at(columns.n_points), 0) {}

    void offer(Index column, double reduced_cost, double noise) {
        offers_.push_back({reduced_cost + noise, column, noise});
        heap_.push(offers_.back());
    }

    /// Points with a negative multiplier make a column cheaper once another covers them: who holds them is
    /// looked up then.
    void prepare() {
        if (std::ranges::none_of(multipliers_, [](double u) { return u < 0; })) return;
        holders_.resize(at(columns_.n_points));
        taken_.assign(at(columns_.size()), 0);
        for (const Candidate& offer : offers_) {
            for (Point i : columns_[offer.column]) {
                if (multipliers_[at(i)] < 0) holders_[at(i)].push_back(offer);
            }
        }
    }

    bool covers_all() const { return n_uncovered_ == 0; }

    /// The best candidate with its score as of now, column -1 when there is none left. Scores rise as points
    /// get covered, and those that fall were offered again, so a top that is still right after a fresh look
    /// is the best.
    Candidate next() {
        while (!heap_.empty()) {
            Candidate top = heap_.top();
            heap_.pop();
            if (!taken_.empty() && taken_[at(top.column)]) continue;
            top.score = fresh_score(top);
            if (heap_.empty() || !(top < heap_.top())) return top;
            heap_.push(top);
        }
        return {std::numeric_limits<double>::infinity(), -1, 0};
    }

    bool covers_more(Index column) const {
        return std::ranges::any_of(columns_[column], [&](Point i) { return !covered_[at(i)]; });
    }

    void take(Index column) {
        if (!taken_.empty()) taken_[at(column)] = 1;
        for (Point i : columns_[column]) {
            if (covered_[at(i)]) continue;
            covered_[at(i)] = 1;
            --n_uncovered_;
        }
        if (!holders_.empty()) offer_again(column);
    }

  private:
    void offer_again(Index column) {
        for (Point i : columns_[column]) {
            for (Candidate offer : std::exchange(holders_[at(i)], {})) {
                offer.score = fresh_score(offer);
                heap_.push(offer);
            }
        }
    }

    double fresh_score(const Candidate& candidate) const {
        double gain = 0;
        for (Point i : columns_[candidate.column]) gain += covered_[at(i)] ? 0.0 : multipliers_[at(i)];
        return columns_.costs[at(candidate.column)] - gain + candidate.noise;
    }

    const Columns& columns_;
    std::span<const double> multipliers_;
    Index n_uncovered_;
    std::vector<char> covered_;
    std::vector<Candidate> offers_;
    std::priority_queue<Candidate> heap_;
    // Only where multipliers are negative:
    std::vector<std::vector<Candidate>> holders_;
    std::vector<char> taken_;
};

}  // namespace

std::vector<Index> round_lagrangian(const Columns& columns, CountRange counts,
                                    std::span<const double> multipliers,
                                    std::span<const double> reduced_costs, const RoundingOptions& options,
                                    Rng rng) {
    check_counts(counts, columns.size());
    const Index k = cheapest_count(reduced_costs, counts);
    const auto wanted = std::max(k, static_cast<Index>(options.candidate_factor * static_cast<double>(k)));
    const std::vector<Index> candidates = least_reduced(reduced_costs, std::min(wanted, columns.size()));
    if (std::ssize(candidates) < k) throw InvalidInput("reduced costs should be numbers, got NaN.");
    const double scale = options.noise * mean_cost(columns, least_reduced(reduced_costs, k));
    Greedy greedy(columns, multipliers);
    for (Index j : candidates) greedy.offer(j, reduced_costs[at(j)], scale * rng.uniform());
    greedy.prepare();
    std::vector<Index> chosen;
    while (std::ssize(chosen) < counts.most) {
        const Candidate best = greedy.next();
        if (best.column < 0) break;
        const bool wanted_anyway = std::ssize(chosen) < counts.least || best.score < 0;
        if (!wanted_anyway && greedy.covers_all()) break;
        if (!wanted_anyway && !greedy.covers_more(best.column)) continue;
        greedy.take(best.column);
        chosen.push_back(best.column);
    }
    return chosen;
}

}  // namespace intarsia
