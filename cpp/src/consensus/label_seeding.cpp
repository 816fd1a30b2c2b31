#include "intarsia/consensus/label_seeding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "intarsia/common/error.hpp"
#include "intarsia/common/parallel.hpp"

namespace intarsia {

namespace {

double mismatch(const Label* a, const Label* b, std::span<const double> member_weights) {
    double sum = 0;
    for (std::size_t j = 0; j < member_weights.size(); ++j)
        sum += a[j] != b[j] && a[j] >= 0 && b[j] >= 0 ? member_weights[j] : 0.0;
    return sum;
}

// How far every row is from the nearest chosen row, and the weighted sum of that.
class Potential {
  public:
    struct Trial {
        Index row = -1;
        std::vector<double> closest;
        std::vector<double> chunk_sums;
        double total = std::numeric_limits<double>::infinity();
    };

    Potential(const LabelProblem& problem, std::span<const double> member_weights)
        : problem_(problem), member_weights_(member_weights) {
        const auto n = static_cast<std::size_t>(problem.rows.n_rows());
        now_.closest.assign(n, std::numeric_limits<double>::max());
        now_.chunk_sums.resize(static_cast<std::size_t>(n_chunks(problem.rows.n_rows())));
        weigh_all();
    }

    double total() const { return now_.total; }

    void evaluate(Index row, Trial& trial) const {
        const auto labels = problem_.rows.labels();
        trial.row = row;
        trial.closest.resize(now_.closest.size());
        trial.chunk_sums.resize(now_.chunk_sums.size());
        for_chunks(labels.n_rows(), problem_.threads(), [&](Index begin, Index end) {
            double sum = 0;
            for (Index i = begin; i < end; ++i) {
                const double far = mismatch(labels.row(row), labels.row(i), member_weights_);
                trial.closest[i] = std::min(now_.closest[i], far);
                sum += problem_.weight(i) * trial.closest[i];
            }
            trial.chunk_sums[begin / kChunk] = sum;
        });
        trial.total = std::accumulate(trial.chunk_sums.begin(), trial.chunk_sums.end(), 0.0);
    }

    void accept(Trial& trial) { std::swap(now_, trial); }

    // A row drawn with probability proportional to weight times distance (by weight alone at first).
    Index draw(Rng& rng) const {
        double left = rng.uniform() * now_.total;
        std::size_t c = 0;
        while (c + 1 < now_.chunk_sums.size() && left >= now_.chunk_sums[c]) left -= now_.chunk_sums[c++];
        Index last = 0;
        for (Index i = static_cast<Index>(c) * kChunk; i < problem_.rows.n_rows(); ++i) {
            const double mass = problem_.weight(i) * (now_.row < 0 ? 1.0 : now_.closest[i]);
            if (mass <= 0) continue;
            last = i;
            left -= mass;
            if (left < 0) break;
        }
        return last;
    }

  private:
    void weigh_all() {
        for (Index i = 0; i < problem_.rows.n_rows(); ++i) now_.chunk_sums[i / kChunk] += problem_.weight(i);
        now_.total = std::accumulate(now_.chunk_sums.begin(), now_.chunk_sums.end(), 0.0);
    }

    const LabelProblem& problem_;
    std::span<const double> member_weights_;
    Trial now_;
};

// The first rows that are not yet chosen: all rows agree with a chosen one in every label they have.
void fill_up(Index n, Index k, std::vector<Index>& chosen) {
    for (Index i = 0; i < n && static_cast<Index>(chosen.size()) < k; ++i)
        if (std::find(chosen.begin(), chosen.end(), i) == chosen.end()) chosen.push_back(i);
}

}  // namespace

std::vector<Index> seed_rows(const LabelProblem& problem, std::span<const double> member_weights, Rng& rng) {
    const Index n_candidates = 2 + static_cast<Index>(std::log(static_cast<double>(problem.k)));
    Potential potential(problem, member_weights);
    Potential::Trial trial, best;
    potential.evaluate(potential.draw(rng), trial);
    std::vector<Index> chosen{trial.row};
    potential.accept(trial);
    while (static_cast<Index>(chosen.size()) < problem.k && potential.total() > 0) {
        best.total = std::numeric_limits<double>::infinity();
        for (Index c = 0; c < n_candidates; ++c) {
            potential.evaluate(potential.draw(rng), trial);
            if (trial.total < best.total) std::swap(trial, best);
        }
        chosen.push_back(best.row);
        potential.accept(best);
    }
    fill_up(problem.rows.n_rows(), problem.k, chosen);
    return chosen;
}

std::vector<Label> nearest_modes(const LabelProblem& problem, std::span<const double> member_weights,
                                 MatrixView<const Label> modes) {
    const LabelRows& rows = problem.rows;
    if (modes.n_rows() != problem.k || modes.n_cols() != rows.slots().n_members())
        throw InvalidInput("modes should have one row a cluster and one column a member.");
    const LabelRows hard = rows.hardened();
    SlotTable scores(rows.slots().n_slots(), problem.k);
    for (Index c = 0; c < problem.k; ++c)
        for (Index j = 0; j < modes.n_cols(); ++j)
            if (modes(c, j) >= 0 && modes(c, j) < rows.slots().n_classes(j))
                scores.row(rows.slots().base(j) + 1 + modes(c, j))[c] = member_weights[j];
    const LabelProblem own{hard, problem.point_weights, problem.k, problem.max_iter, problem.n_threads};
    return likeliest(own, scores);
}

}  // namespace intarsia
