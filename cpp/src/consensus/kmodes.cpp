#include "intarsia/consensus/kmodes.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include "intarsia/common/parts.hpp"
#include "intarsia/consensus/mode_moves.hpp"

namespace intarsia {

namespace {

// What a partition's rows cost, and by how much the cost would rise without each cluster.
class Survey {
  public:
    Survey(const LabelProblem& problem, std::span<const double> member_weights, std::span<const Label> labels)
        : problem_(problem),
          model_(problem.rows.slots(), member_weights),
          member_weights_(member_weights),
          scores_(learn_all(model_, tally(problem, labels, {}))),
          costs_(labels.size()) {
        const auto terms = row_terms(problem, model_);
        removal_ = sum_parts(
            problem.rows.n_rows(), problem.k, problem.threads(), [&](Index begin, Index end, double* rise) {
                std::vector<double> score(static_cast<std::size_t>(scores_.stride));
                for (Index i = begin; i < end; ++i) {
                    score_row(problem.rows, i, scores_, score.data());
                    const double own = score[labels[i]];
                    score[labels[i]] = -std::numeric_limits<double>::infinity();
                    const double other = *std::max_element(score.begin(), score.begin() + problem.k);
                    costs_[i] = problem.weight(i) * (terms[i].constant - own);
                    rise[labels[i]] += problem.weight(i) * (own - other);
                }
            });
    }

    // Half of the time the cluster that is least missed, else any.
    Label draw_cluster(Rng& rng) const {
        const auto least = std::min_element(removal_.begin(), removal_.end()) - removal_.begin();
        const auto any = rng.below(static_cast<std::uint64_t>(problem_.k));
        return static_cast<Label>(rng.below(2) == 0 ? static_cast<std::uint64_t>(least) : any);
    }

    // A row drawn with probability proportional to its cost.
    Index draw_row(Rng& rng) const {
        double left = 0;
        for (double cost : costs_) left += cost;
        left *= rng.uniform();
        Index i = 0;
        while (i + 1 < static_cast<Index>(costs_.size()) && (left -= costs_[i]) >= 0) ++i;
        return i;
    }

    // The partition around the present modes with that of cluster c replaced by a row's labels.
    std::vector<Label> swapped(Label c, Index row) const {
        SlotTable scores = scores_;
        for (Index s = 0; s < problem_.rows.slots().n_slots(); ++s) scores.row(s)[c] = 0;
        scores.bias[c] = 0;
        problem_.rows.visit_hard(row, [&](Index slot, double) {
            const SlotMap& slots = problem_.rows.slots();
            if (!slots.is_missing(slot)) scores.row(slot)[c] = member_weights_[slots.member(slot)];
        });
        return likeliest(problem_, scores);
    }

  private:
    const LabelProblem& problem_;
    Modes model_;
    std::span<const double> member_weights_;
    SlotTable scores_;
    std::vector<double> costs_;
    std::vector<double> removal_;
};

// Relative: the order of a sum changes no verdict.
bool cheaper(const LabelRun& a, const LabelRun& b) { return a.objective < b.objective * (1 - 1e-12); }

}  // namespace

RowTerms Modes::terms(std::span<const Entry> row) const {
    RowTerms terms;
    for (const Entry& e : row)
        if (!slots_.is_missing(e.slot)) terms.constant += member_weights_[slots_.member(e.slot)];
    return terms;
}

void Modes::learn(const SlotTable& counts, Index c, double, SlotTable& scores) const {
    for (Index j = 0; j < slots_.n_members(); ++j) {
        Index mode = slots_.base(j) + 1;
        for (Index s = mode + 1; s < slots_.end(j); ++s)
            if (counts.row(s)[c] > counts.row(mode)[c]) mode = s;
        if (counts.row(mode)[c] > 0) scores.row(mode)[c] = member_weights_[j];
    }
}

LabelRun kmodes(const LabelProblem& problem, std::span<const double> member_weights,
                std::span<const Label> start) {
    const LabelRows hard = problem.rows.hardened();
    const LabelProblem own{hard, problem.point_weights, problem.k, problem.max_iter, problem.n_threads};
    return label_lloyd(own, Modes(hard.slots(), member_weights), start);
}

LabelRun improve_kmodes(const LabelProblem& problem, std::span<const double> member_weights,
                        const LabelRun& start, Index n_swaps, Rng& rng) {
    const LabelRows hard = problem.rows.hardened();
    const LabelProblem own{hard, problem.point_weights, problem.k, problem.max_iter, problem.n_threads};
    LabelRun best = start;
    auto survey = std::make_unique<Survey>(own, member_weights, best.labels);
    for (Index swap = 0; swap < n_swaps; ++swap) {
        const Label c = survey->draw_cluster(rng);
        LabelRun trial = kmodes(own, member_weights, survey->swapped(c, survey->draw_row(rng)));
        if (!cheaper(trial, best)) continue;
        best.labels = std::move(trial.labels);
        best.objective = trial.objective;
        best.history.push_back(trial.objective);
        survey = std::make_unique<Survey>(own, member_weights, best.labels);
    }
    best.objective = improve_modes(own, member_weights, best.labels);
    best.history.push_back(best.objective);
    return best;
}

}  // namespace intarsia
