#include "intarsia/annealing/mean_agreement.hpp"

#include "mean_agreement_nmi.hpp"
#include "mean_agreement_pairs.hpp"

namespace intarsia {

void MeanAgreement::load(std::span<const Label> labels) {
    counts_.load(labels);
    refresh();
}

void MeanAgreement::refresh() { value_ = recompute(); }

void MeanAgreement::scores(Index point, double* out) const {
    fill_scores(point, 0, counts_.k(), out);
    out[label(point)] = value_;
}

double MeanAgreement::score(Index point, Label to, double* work) const {
    fill_scores(point, to, to + 1, work);
    return work[to];
}

void MeanAgreement::move(Index point, Label to, double new_value) {
    before_move(point, to);
    counts_.move(point, to);
    value_ = new_value;
    after_move();
}

std::vector<double> mean_shares(const LabelledEnsemble& ensemble) {
    std::vector<double> shares(static_cast<std::size_t>(ensemble.n_members()), 1.0);
    if (!ensemble.member_weights.empty())
        shares.assign(ensemble.member_weights.begin(), ensemble.member_weights.end());
    double total = 0;
    for (double share : shares) total += share;
    for (double& share : shares) share /= total;
    return shares;
}

std::unique_ptr<MeanAgreement> make_mean_agreement(Measure measure, const LabelledEnsemble& ensemble,
                                                   Index k) {
    if (measure == Measure::kNmi) return std::make_unique<NmiAgreement>(ensemble, k);
    return std::make_unique<PairAgreement>(measure, ensemble, k);
}

}  // namespace intarsia
