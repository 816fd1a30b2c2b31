#include "intarsia/consensus/multinomials.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "intarsia/common/error.hpp"
#include "intarsia/common/parts.hpp"
#include "intarsia/distance/panel.hpp"

namespace intarsia {

namespace {

class Multinomials : public LabelModel {
  public:
    Multinomials(const LabelProblem& problem, std::span<const double> member_weights, double smoothing)
        : slots_(problem.rows.slots()), member_weights_(member_weights), smoothing_(smoothing) {
        if (!(smoothing > 0)) throw InvalidInput("smoothing should be > 0.");
        total_ = 0;
        for (Index i = 0; i < problem.rows.n_rows(); ++i) total_ += problem.weight(i);
    }

    double total() const { return total_; }

    RowTerms terms(std::span<const Entry>) const override { return {}; }

    void learn(const SlotTable& counts, Index c, double mass, SlotTable& scores) const override {
        scores.bias[c] = std::log(mass / total_);
        for (Index j = 0; j < slots_.n_members(); ++j) {
            double known = smoothing_ * static_cast<double>(slots_.n_classes(j));
            for (Index s = slots_.base(j) + 1; s < slots_.end(j); ++s) known += counts.row(s)[c];
            for (Index s = slots_.base(j) + 1; s < slots_.end(j); ++s)
                scores.row(s)[c] = member_weights_[j] * std::log((counts.row(s)[c] + smoothing_) / known);
        }
    }

  private:
    const SlotMap& slots_;
    std::span<const double> member_weights_;
    double smoothing_;
    double total_ = 0;
};

// The responsibilities of up to kPanel rows.
class Shares {
  public:
    explicit Shares(const SlotTable& scores)
        : scores_(scores),
          row_(static_cast<std::size_t>(scores.stride)),
          shares_(static_cast<std::size_t>(scores.k * kPanel), 0.0) {}

    void load(const LabelRows& rows, Index first, Index last) {
        for (Index i = first; i < last; ++i) {
            score_row(rows, i, scores_, row_.data());
            for (Index c = 0; c < scores_.k; ++c) shares_[c * kPanel + i - first] = row_[c];
        }
        panel_kernels().softmax(shares_.data(), scores_.k, largest_, total_);
    }

    double share(Index at, Index c) const { return shares_[c * kPanel + at]; }
    double log_likelihood(Index at) const { return largest_[at] + std::log(total_[at]); }

  private:
    const SlotTable& scores_;
    std::vector<double> row_;
    std::vector<double> shares_;
    double largest_[kPanel];
    double total_[kPanel];
};

// Adds a row's responsibilities to the counts of its slots and to the mass of every component.
void add_row(const LabelProblem& problem, Index i, const std::vector<double>& part, double* counts,
             double* mass) {
    const auto stride = static_cast<Index>(part.size());
    for (Index c = 0; c < problem.k; ++c) mass[c] += part[c];
    problem.rows.visit(i, [&](Index slot, double share) {
        double* count = counts + slot * stride;
        for (Index c = 0; c < stride; ++c) count[c] += share * part[c];
    });
}

// One E-step: weighted counts (with masses in `bias`) under the given scores; returns the log-likelihood.
double expect(const LabelProblem& problem, const SlotTable& scores, SlotTable& counts) {
    const auto width = static_cast<Index>(counts.values.size());
    auto sums = sum_parts(problem.rows.n_rows(), width + problem.k + 1, problem.threads(),
                          [&](Index begin, Index end, double* sum) {
                              Shares shares(scores);
                              std::vector<double> part(static_cast<std::size_t>(scores.stride), 0.0);
                              for_panels(begin, end, [&](Index first, Index last) {
                                  shares.load(problem.rows, first, last);
                                  for (Index i = first; i < last; ++i) {
                                      const double w = problem.weight(i);
                                      for (Index c = 0; c < problem.k; ++c)
                                          part[c] = w * shares.share(i - first, c);
                                      sum[width + problem.k] += w * shares.log_likelihood(i - first);
                                      add_row(problem, i, part, sum, sum + width);
                                  }
                              });
                          });
    const double log_likelihood = sums.back();
    std::copy_n(sums.data() + width, problem.k, counts.bias.data());
    std::copy_n(sums.data(), width, counts.values.data());
    return log_likelihood;
}

std::vector<double> responsibilities(const LabelProblem& problem, const SlotTable& scores) {
    std::vector<double> out(static_cast<std::size_t>(problem.rows.n_rows() * problem.k));
    for_chunks(problem.rows.n_rows(), problem.threads(), [&](Index begin, Index end) {
        Shares shares(scores);
        for_panels(begin, end, [&](Index first, Index last) {
            shares.load(problem.rows, first, last);
            for (Index i = first; i < last; ++i)
                for (Index c = 0; c < problem.k; ++c) out[i * problem.k + c] = shares.share(i - first, c);
        });
    });
    return out;
}

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

}  // namespace

LabelRun mixture_partition(const LabelProblem& problem, std::span<const double> member_weights,
                           std::span<const Label> start, const MixtureOptions& options) {
    return label_lloyd(problem, Multinomials(problem, member_weights, options.smoothing), start);
}

MixtureRun mixture(const LabelProblem& problem, std::span<const double> member_weights,
                   std::span<const Label> start, const MixtureOptions& options) {
    check_start(problem, start);
    const Multinomials model(problem, member_weights, options.smoothing);
    SlotTable counts = tally(problem, start, {});
    MixtureRun run;
    while (run.n_iter < problem.max_iter && !run.converged) {
        ++run.n_iter;
        const SlotTable scores = learn_all(model, counts);
        run.history.push_back(expect(problem, scores, counts) + options.smoothing * sum(scores.values));
        const auto last = run.history.size() - 1;
        run.converged = last > 0 && run.history[last] - run.history[last - 1] < options.tol * model.total();
    }
    run.responsibilities = responsibilities(problem, learn_all(model, counts));
    return run;
}

}  // namespace intarsia
