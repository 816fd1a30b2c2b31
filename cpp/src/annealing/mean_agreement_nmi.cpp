#include "mean_agreement_nmi.hpp"

#include <algorithm>
#include <cmath>

namespace intarsia {

namespace {

// A table up to here stays in the cache; beyond it the logarithm is no slower.
constexpr Count kTabulated = Count{1} << 17;
// Moves after which the sums are taken afresh: rounding never adds up to anything.
constexpr Index kRefreshEvery = 1024;

double x_log_x(Count x) { return x < 2 ? 0.0 : static_cast<double>(x) * std::log(static_cast<double>(x)); }

}  // namespace

NmiAgreement::NmiAgreement(const LabelledEnsemble& ensemble, Index k) : MeanAgreement(ensemble, k) {
    Count largest = 0;
    for (Index i = 0; i < ensemble.n_points(); ++i) largest += ensemble.weight(i);
    tabulate(largest);
    const std::vector<double> shares = mean_shares(ensemble);
    for (Index q = 0; q < counts_.n_members(); ++q)
        terms_.push_back({0, 0, 0, g(counts_.n_labelled(q)), shares[static_cast<std::size_t>(q)]});
}

void NmiAgreement::tabulate(Count largest) {
    for (Count x = 0; x <= std::min(largest, kTabulated); ++x) table_.push_back(x_log_x(x));
}

double NmiAgreement::g(Count x) const {
    return x < std::ssize(table_) ? table_[static_cast<std::size_t>(x)] : x_log_x(x);
}

double NmiAgreement::recompute() {
    double sum = 0;
    for (Index q = 0; q < counts_.n_members(); ++q) {
        Term& term = terms_[static_cast<std::size_t>(q)];
        term.shared = term.partition = term.member = 0;
        for (Index c = 0; c < counts_.k(); ++c) term.partition += g(counts_.sizes(q)[c]);
        for (Index id = counts_.first_row(q); id < counts_.first_row(q + 1); ++id) {
            Count size = 0;
            for (Index c = 0; c < counts_.k(); ++c) {
                size += counts_.row(id)[c];
                term.shared += g(counts_.row(id)[c]);
            }
            term.member += g(size);
        }
        sum += term.weight * value_of(term);
    }
    return sum;
}

double NmiAgreement::gain(const Count* counts, Label from, Label to, Count weight) const {
    return g(counts[to] + weight) - g(counts[to]) + (g(counts[from] - weight) - g(counts[from]));
}

NmiAgreement::Term NmiAgreement::moved(Index point, Index member, Label to) const {
    Term term = terms_[static_cast<std::size_t>(member)];
    const std::int32_t row = counts_.rows_of(point)[member];
    if (row < 0) return term;
    term.shared += gain(counts_.row(row), label(point), to, counts_.weight(point));
    term.partition += gain(counts_.sizes(member), label(point), to, counts_.weight(point));
    return term;
}

void NmiAgreement::fill_scores(Index point, Index first, Index last, double* out) const {
    for (Index c = first; c < last; ++c) {
        out[c] = 0;
        if (c == label(point)) continue;
        for (Index q = 0; q < counts_.n_members(); ++q) {
            const Term term = moved(point, q, static_cast<Label>(c));
            out[c] += term.weight * value_of(term);
        }
    }
}

void NmiAgreement::before_move(Index point, Label to) {
    if (to == label(point)) return;
    for (Index q = 0; q < counts_.n_members(); ++q) terms_[static_cast<std::size_t>(q)] = moved(point, q, to);
}

void NmiAgreement::after_move() {
    if (++n_moves_ % kRefreshEvery == 0) refresh();
}

// Sums of logarithms never cancel exactly: an entropy this small is that of one cluster.
double NmiAgreement::value_of(const Term& term) {
    const double none = 1e-12 * (1 + term.all);
    const double partition = term.all - term.partition, member = term.all - term.member;
    if (partition <= none || member <= none) return partition <= none && member <= none ? 1.0 : 0.0;
    return (term.shared - term.partition - term.member + term.all) / std::sqrt(partition * member);
}

}  // namespace intarsia
