#include "mean_agreement_pairs.hpp"

#include <cmath>

namespace intarsia {

namespace {

MemberTerm fixed_term(const JoinedPairs& pairs, double weight) {
    const auto member = static_cast<double>(pairs.member);
    const double share = pairs.all == 0 ? 0 : member / static_cast<double>(pairs.all);
    return {0,     0, member, share, 0.5 - share, 0.5 * member, pairs.member == 0 ? 0 : 1 / std::sqrt(member),
            weight};
}

}  // namespace

PairAgreement::PairAgreement(Measure measure, const LabelledEnsemble& ensemble, Index k)
    : MeanAgreement(ensemble, k), kernel_(pair_scores(measure, counts_.complete())) {
    const std::vector<double> shares = mean_shares(ensemble);
    for (Index q = 0; q < counts_.n_members(); ++q)
        terms_.push_back(fixed_term(counts_.pairs(q), shares[static_cast<std::size_t>(q)]));
}

void PairAgreement::fill_scores(Index point, Index first, Index last, double* out) const {
    const PairQuery query{counts_.row(0),          counts_.sizes(0),    counts_.rows_of(point),
                          terms_.data(),           counts_.n_members(), counts_.stride(),
                          counts_.member_stride(), label(point),        counts_.weight(point)};
    kernel_.score(query, first, last, out);
}

double PairAgreement::recompute() {
    read_pairs();
    return kernel_.value(terms_.data(), counts_.n_members());
}

void PairAgreement::read_pairs() {
    for (Index q = 0; q < counts_.n_members(); ++q) {
        MemberTerm& term = terms_[static_cast<std::size_t>(q)];
        term.both = static_cast<double>(counts_.pairs(q).both);
        term.partition = static_cast<double>(counts_.pairs(q).partition);
    }
}

}  // namespace intarsia
