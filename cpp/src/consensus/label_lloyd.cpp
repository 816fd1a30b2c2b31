#include "intarsia/consensus/label_lloyd.hpp"

#include <algorithm>
#include <limits>

#include "intarsia/common/error.hpp"
#include "intarsia/common/fill_empty.hpp"
#include "intarsia/common/label_groups.hpp"
#include "intarsia/common/parts.hpp"
#include "intarsia/common/weighted_points.hpp"

namespace intarsia {

namespace {

// The state of one run: labels, and what each row costs where it is.
class Run {
  public:
    Run(const LabelProblem& problem, std::span<const RowTerms> terms, std::span<const Label> start)
        : problem_(problem), terms_(terms), labels_(start.begin(), start.end()), costs_(start.size()) {}

    std::span<const Label> labels() const { return labels_; }

    // Moves every row to its cheapest cluster; returns how many moved.
    Index assign(const SlotTable& scores) {
        const auto moved =
            sum_chunks(static_cast<Index>(labels_.size()), problem_.threads(),
                       [&](Index begin, Index end) { return assign_rows(scores, begin, end); });
        return static_cast<Index>(moved) + refill_empty();
    }

    double objective() const {
        return sum_chunks(static_cast<Index>(labels_.size()), problem_.threads(),
                          [&](Index begin, Index end) {
                              double sum = 0;
                              for (Index i = begin; i < end; ++i) sum += costs_[i];
                              return sum;
                          });
    }

  private:
    double assign_rows(const SlotTable& scores, Index begin, Index end) {
        std::vector<double> score(static_cast<std::size_t>(scores.stride));
        Index moved = 0;
        for (Index i = begin; i < end; ++i) {
            score_row(problem_.rows, i, scores, score.data());
            Label best = labels_[i];
            for (Label c = 0; c < problem_.k; ++c)
                if (score[c] > score[best]) best = c;
            moved += best != labels_[i];
            labels_[i] = best;
            costs_[i] = problem_.weight(i) * terms_[i].factor * (terms_[i].constant - score[best]);
        }
        return static_cast<double>(moved);
    }

    Index refill_empty() {
        std::vector<Index> sizes(static_cast<std::size_t>(problem_.k), 0);
        for (Label c : labels_) ++sizes[c];
        return fill_empty(
            labels_, std::move(sizes), [&](Index i) { return costs_[i]; },
            [&](Index i, Label to) {
                labels_[i] = to;
                costs_[i] = 0;
            });
    }

    const LabelProblem& problem_;
    std::span<const RowTerms> terms_;
    std::vector<Label> labels_;
    std::vector<double> costs_;
};

}  // namespace

void check_start(const LabelProblem& problem, std::span<const Label> labels) {
    const Index n = problem.rows.n_rows();
    if (problem.k < 1 || problem.k > n) throw InvalidInput("n_clusters must be between 1 and n_samples");
    check_labels(labels, n, problem.k);
    check_weight_count(problem.point_weights, n);
}

int LabelProblem::threads() const {
    return useful_threads(rows.n_rows() * rows.slots().n_members() * k, n_threads);
}

std::vector<RowTerms> row_terms(const LabelProblem& problem, const LabelModel& model) {
    std::vector<RowTerms> terms(static_cast<std::size_t>(problem.rows.n_rows()));
    for_chunks(problem.rows.n_rows(), problem.threads(), [&](Index begin, Index end) {
        std::vector<Entry> row;
        for (Index i = begin; i < end; ++i) {
            row.clear();
            problem.rows.visit(i, [&](Index slot, double share) { row.push_back({slot, share}); });
            terms[i] = model.terms(row);
        }
    });
    return terms;
}

SlotTable tally(const LabelProblem& problem, std::span<const Label> labels, std::span<const RowTerms> terms) {
    SlotTable counts(problem.rows.slots().n_slots(), problem.k);
    const auto width = static_cast<Index>(counts.values.size());
    auto sums = sum_parts(
        problem.rows.n_rows(), width + problem.k, problem.threads(),
        [&](Index begin, Index end, double* sum) {
            for (Index i = begin; i < end; ++i) {
                const Label c = labels.empty() ? 0 : labels[i];
                const double w = problem.weight(i) * (terms.empty() ? 1.0 : terms[i].factor);
                sum[width + c] += problem.weight(i);
                problem.rows.visit(
                    i, [&](Index slot, double share) { sum[slot * counts.stride + c] += w * share; });
            }
        });
    std::copy_n(sums.data() + width, problem.k, counts.bias.data());
    sums.resize(static_cast<std::size_t>(width));
    counts.values = std::move(sums);
    return counts;
}

SlotTable learn_all(const LabelModel& model, const SlotTable& counts) {
    SlotTable scores(static_cast<Index>(counts.values.size()) / counts.stride, counts.k);
    for (Index c = 0; c < counts.k; ++c) {
        if (counts.bias[c] > 0)
            model.learn(counts, c, counts.bias[c], scores);
        else
            scores.bias[c] = -std::numeric_limits<double>::infinity();
    }
    return scores;
}

std::vector<Label> likeliest(const LabelProblem& problem, const SlotTable& scores) {
    std::vector<Label> labels(static_cast<std::size_t>(problem.rows.n_rows()));
    for_chunks(problem.rows.n_rows(), problem.threads(), [&](Index begin, Index end) {
        std::vector<double> score(static_cast<std::size_t>(scores.stride));
        for (Index i = begin; i < end; ++i) {
            score_row(problem.rows, i, scores, score.data());
            labels[i] = static_cast<Label>(std::max_element(score.begin(), score.begin() + problem.k) -
                                           score.begin());
        }
    });
    return labels;
}

LabelRun label_lloyd(const LabelProblem& problem, const LabelModel& model, std::span<const Label> start) {
    check_start(problem, start);
    const auto terms = row_terms(problem, model);
    Run run(problem, terms, start);
    LabelRun result;
    while (result.n_iter < problem.max_iter && !result.converged) {
        ++result.n_iter;
        result.converged = run.assign(learn_all(model, tally(problem, run.labels(), terms))) == 0;
        result.history.push_back(run.objective());
    }
    result.labels.assign(run.labels().begin(), run.labels().end());
    result.objective = result.history.empty() ? 0 : result.history.back();
    return result;
}

}  // namespace intarsia
