#pragma once

#include <vector>

#include "intarsia/annealing/annealing.hpp"
#include "intarsia/annealing/best_seen.hpp"
#include "intarsia/common/rng.hpp"

namespace intarsia {

/// A label that a point may get: its value when it was scored, and the loss that its draw allows.
struct Proposal {
    Label label = kNoLabel;
    double value = 0;
    double allowed_loss = 0;
};

/// One loop over all points at one temperature, and what the loops have seen.
class Sweep {
  public:
    Sweep(MeanAgreement& agreement, const AnnealingOptions& options);

    /// Visits every point once; returns the number of changes.
    Index run(double temperature);
    const MeanAgreement& agreement() const { return agreement_; }
    const std::vector<Label>& best_labels() { return best_.labels(); }

  private:
    bool metropolis() const { return options_.acceptance == Acceptance::kMetropolis; }
    void reorder();
    Index visit(Index t) const;
    Index one_by_one();
    Index in_batch(Index first, Index last);
    Proposal propose(Index point, Rng& rng, double* work) const;
    Proposal propose_one(Index point, Rng& rng, double* work) const;
    Proposal choose_first(Index point, Label skip, Rng& rng, const double* scores) const;
    Proposal choose_best(Index point, Rng& rng, const double* scores) const;
    double allowed_loss(double change, Rng& rng) const;
    bool acceptable(double change, double loss) const;
    bool still_acceptable(Index point, Proposal& proposal);
    bool may_leave(Index point) const;
    Index take(Index point, const Proposal& proposal);

    MeanAgreement& agreement_;
    AnnealingOptions options_;
    BestSeen best_;
    std::vector<std::int32_t> order_;
    std::vector<Proposal> proposals_;
    std::vector<double> work_;
    double temperature_ = 0;
    double greatest_loss_ = 0;  // as a change of value: what is lower is never taken
    std::uint64_t loop_ = 0;
    bool lively_ = false;  // most points moved in the last loop: a single trial is likely to do
};

}  // namespace intarsia
