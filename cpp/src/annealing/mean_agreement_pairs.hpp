#pragma once

#include <vector>

#include "intarsia/annealing/mean_agreement.hpp"
#include "intarsia/annealing/pair_scores.hpp"

namespace intarsia {

/// A measure f(h0, h1, h2) of joined pairs: whole numbers, so that no number of moves makes it drift.
class PairAgreement final : public MeanAgreement {
  public:
    PairAgreement(Measure measure, const LabelledEnsemble& ensemble, Index k);

  private:
    void fill_scores(Index point, Index first, Index last, double* out) const override;
    double recompute() override;
    void after_move() override { read_pairs(); }
    void read_pairs();

    const PairScores& kernel_;
    std::vector<MemberTerm> terms_;
};

}  // namespace intarsia
