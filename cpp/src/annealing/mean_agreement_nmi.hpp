#pragma once

#include <vector>

#include "intarsia/annealing/mean_agreement.hpp"

namespace intarsia {

/// Normalised mutual information (geometric mean). With g(x) = x ln x and G sums of g over counts:
/// N I = G(shared) - G(partition) - G(member) + g(N), and N H = g(N) - G for either entropy.
class NmiAgreement final : public MeanAgreement {
  public:
    NmiAgreement(const LabelledEnsemble& ensemble, Index k);

  private:
    struct Term {
        double shared, partition, member, all, weight;
    };

    void fill_scores(Index point, Index first, Index last, double* out) const override;
    double recompute() override;
    void before_move(Index point, Label to) override;
    void after_move() override;
    void tabulate(Count largest);
    double g(Count x) const;
    double member_sum(Index member) const;
    double gain(const Count* counts, Label from, Label to, Count weight) const;
    Term moved(Index point, Index member, Label to) const;
    static double value_of(const Term& term);

    std::vector<double> table_;
    std::vector<Term> terms_;
    Index n_moves_ = 0;
};

}  // namespace intarsia
