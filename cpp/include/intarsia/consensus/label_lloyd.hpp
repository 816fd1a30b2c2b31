#pragma once

#include <span>
#include <vector>

#include "intarsia/common/types.hpp"
#include "intarsia/ensemble/label_rows.hpp"

namespace intarsia {

/// What does not change while a row is moved about: its cost in cluster c is factor * (constant - score(c)),
/// and its shares count `factor` times.
struct RowTerms {
    double factor = 1;
    double constant = 0;
};

/// A way of summing up a cluster of rows so that a row's cost is a sum over its slots.
class LabelModel {
  public:
    virtual ~LabelModel() = default;
    virtual RowTerms terms(std::span<const Entry> row) const = 0;
    /// Writes the scores that belong to the weighted counts of every slot and the weight of every cluster;
    /// a cluster without weight is never asked.
    virtual void learn(const SlotTable& counts, Index c, double mass, SlotTable& scores) const = 0;
};

/// The rows, their weights (empty: all one), the clusters wanted and the limits.
struct LabelProblem {
    const LabelRows& rows;
    std::span<const double> point_weights;
    Index k = 2;
    Index max_iter = 100;
    int n_threads = 1;

    double weight(Index i) const { return point_weights.empty() ? 1.0 : point_weights[i]; }
    /// One when the work is too little for several.
    int threads() const;
};

struct LabelRun {
    std::vector<Label> labels;
    double objective = 0;
    Index n_iter = 0;
    bool converged = false;
    std::vector<double> history;
};

/// Throws InvalidInput unless there is a label in [0, k) for every row.
void check_start(const LabelProblem& problem, std::span<const Label> labels);

std::vector<RowTerms> row_terms(const LabelProblem& problem, const LabelModel& model);

/// counts(slot, c) = sum of weight * factor * share over the rows of cluster c; counts.bias[c] = weight of c.
/// No labels: all rows in cluster 0; no terms: factors of one.
SlotTable tally(const LabelProblem& problem, std::span<const Label> labels, std::span<const RowTerms> terms);

/// The scores of counts for every cluster; a cluster without weight attracts nothing.
SlotTable learn_all(const LabelModel& model, const SlotTable& counts);

/// The cluster of highest score of every row; ties to the lowest index.
std::vector<Label> likeliest(const LabelProblem& problem, const SlotTable& scores);

/// Alternates between learning the clusters and moving every row to its cheapest cluster (it stays where that
/// is as good, else ties go to the lowest index) until no row moves. A cluster that becomes empty takes the
/// row that costs most where it is, from a cluster that has at least two.
LabelRun label_lloyd(const LabelProblem& problem, const LabelModel& model, std::span<const Label> start);

}  // namespace intarsia
