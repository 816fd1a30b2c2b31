#pragma once

#include <span>
#include <vector>

#include "intarsia/consensus/label_lloyd.hpp"

namespace intarsia {

/// A mixture of products of multinomials: a row of component c has label l in member j with probability
/// theta(c, j, l), independently of the other members. A missing label says nothing; a member counts as
/// often as its weight says. `smoothing` is added to every count.
struct MixtureOptions {
    double smoothing = 0.01;
    /// EM stops when the log-likelihood per unit of weight grows by less.
    double tol = 1e-6;
};

/// Hard EM from a partition of the rows: each row counts wholly for its likeliest component. The objective is
/// minus the log-likelihood.
LabelRun mixture_partition(const LabelProblem& problem, std::span<const double> member_weights,
                           std::span<const Label> start, const MixtureOptions& options);

struct MixtureRun {
    std::vector<double> responsibilities;  // n x k
    /// Log-likelihood of all rows and of the added counts, which EM never lowers, in each iteration.
    std::vector<double> history;
    Index n_iter = 0;
    bool converged = false;
};

/// EM from a partition of the rows; at most problem.max_iter iterations.
MixtureRun mixture(const LabelProblem& problem, std::span<const double> member_weights,
                   std::span<const Label> start, const MixtureOptions& options);

}  // namespace intarsia
