#include "annealing_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "intarsia/common/parallel.hpp"

namespace intarsia {

namespace {

// Rounding of the mean stays below this; a real change of n points is at least about 1 / n^2.
constexpr double kRounding = 1e-14;
// exp(-50) is below the resolution of a uniform draw.
constexpr double kHopeless = -50;
// Points ahead whose labels are fetched while one is scored.
constexpr Index kAhead = 8;

std::uint64_t task_of(std::uint64_t chain, std::uint64_t loop) { return (chain << 32) + loop; }

// Substream 0 is the whole loop's; a point scored on its own has one of its own.
Rng loop_rng(const AnnealingOptions& options, std::uint64_t loop, Index substream = 0) {
    return Rng(options.seed, Stage::kAnnealing, task_of(options.chain, loop),
               static_cast<std::uint64_t>(substream));
}

}  // namespace

Sweep::Sweep(MeanAgreement& agreement, const AnnealingOptions& options)
    : agreement_(agreement),
      options_(options),
      best_(agreement.counts().labels(), agreement.value()),
      order_(static_cast<std::size_t>(agreement.counts().n_points())),
      proposals_(static_cast<std::size_t>(options.batch)),
      work_(static_cast<std::size_t>(agreement.counts().stride())) {
    std::iota(order_.begin(), order_.end(), 0);
}

Index Sweep::run(double temperature) {
    temperature_ = temperature;
    greatest_loss_ = temperature * (metropolis() ? kHopeless : std::log(options_.threshold));
    ++loop_;
    agreement_.refresh();
    if (temperature > 0) reorder();
    const Index n = std::ssize(order_);
    Index n_moves = 0;
    if (options_.batch == 1) n_moves = one_by_one();
    for (Index first = 0; options_.batch > 1 && first < n; first += options_.batch)
        n_moves += in_batch(first, std::min(n, first + options_.batch));
    lively_ = 2 * n_moves > n;
    return n_moves;
}

void Sweep::reorder() {
    Rng rng(options_.seed, Stage::kAnnealingOrder, options_.chain, loop_);
    for (std::size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[rng.below(i)]);
}

Index Sweep::visit(Index t) const {
    const auto ahead = static_cast<std::size_t>(t + kAhead);
    if (ahead < order_.size()) agreement_.counts().prefetch(order_[ahead]);
    return order_[static_cast<std::size_t>(t)];
}

Index Sweep::one_by_one() {
    const Index n = std::ssize(order_);
    Rng rng = loop_rng(options_, loop_);
    Index n_moves = 0;
    for (Index t = 0; t < n; ++t) {
        const Index point = visit(t);
        n_moves += take(point, propose(point, rng, work_.data()));
    }
    return n_moves;
}

Index Sweep::in_batch(Index first, Index last) {
    for_chunks(last - first, options_.n_threads, [&](Index begin, Index end) {
        std::vector<double> work(work_.size());
        for (Index b = begin; b < end; ++b) {
            const Index point = visit(first + b);
            Rng rng = loop_rng(options_, loop_, point + 1);
            proposals_[static_cast<std::size_t>(b)] = propose(point, rng, work.data());
        }
    });
    Index n_moves = 0;
    for (Index t = first; t < last; ++t) {
        const Index point = order_[static_cast<std::size_t>(t)];
        Proposal& proposal = proposals_[static_cast<std::size_t>(t - first)];
        if (still_acceptable(point, proposal)) n_moves += take(point, proposal);
    }
    return n_moves;
}

Proposal Sweep::propose(Index point, Rng& rng, double* work) const {
    if (!may_leave(point)) return {};
    Label tried = kNoLabel;
    if (lively_ && options_.choice == Choice::kFirst) {
        const Proposal one = propose_one(point, rng, work);
        if (acceptable(one.value - agreement_.value(), one.allowed_loss)) return one;
        tried = one.label;
    }
    agreement_.scores(point, work);
    return options_.choice == Choice::kBest ? choose_best(point, rng, work)
                                            : choose_first(point, tried, rng, work);
}

Proposal Sweep::propose_one(Index point, Rng& rng, double* work) const {
    auto label = static_cast<Label>(rng.below(static_cast<std::uint64_t>(agreement_.counts().k() - 1)));
    if (label >= agreement_.label(point)) ++label;
    const double value = agreement_.score(point, label, work);
    return {label, value, allowed_loss(value - agreement_.value(), rng)};
}

// The first acceptable label of a random order is any of the acceptable ones with equal probability.
Proposal Sweep::choose_first(Index point, Label skip, Rng& rng, const double* scores) const {
    const double value = agreement_.value(), floor = value + greatest_loss_;
    const Label own = agreement_.label(point);
    Proposal chosen;
    std::uint64_t n_acceptable = 0;
    for (Label c = 0; c < agreement_.counts().k(); ++c) {
        if (scores[c] <= floor || c == own || c == skip) continue;  // nearly always the first of these
        const double loss = allowed_loss(scores[c] - value, rng);
        if (!acceptable(scores[c] - value, loss)) continue;
        if (++n_acceptable == 1 || rng.below(n_acceptable) == 0) chosen = {c, scores[c], loss};
    }
    return chosen;
}

Proposal Sweep::choose_best(Index point, Rng& rng, const double* scores) const {
    Proposal chosen;
    for (Label c = 0; c < agreement_.counts().k(); ++c) {
        if (c == agreement_.label(point)) continue;
        if (chosen.label == kNoLabel || scores[c] > chosen.value) chosen = {c, scores[c], 0};
    }
    const double change = chosen.value - agreement_.value();
    chosen.allowed_loss = allowed_loss(change, rng);
    return acceptable(change, chosen.allowed_loss) ? chosen : Proposal{};
}

// As a change of value: exp(change / T) > p is change > T ln p.
double Sweep::allowed_loss(double change, Rng& rng) const {
    if (!metropolis()) return greatest_loss_;
    if (change >= 0 || change <= greatest_loss_) return 0;
    return temperature_ * std::log(rng.uniform());
}

bool Sweep::acceptable(double change, double loss) const {
    return change > kRounding || (change < -kRounding && change > loss);
}

bool Sweep::still_acceptable(Index point, Proposal& proposal) {
    if (proposal.label == kNoLabel || !may_leave(point)) return false;
    proposal.value = agreement_.score(point, proposal.label, work_.data());
    return acceptable(proposal.value - agreement_.value(), proposal.allowed_loss);
}

bool Sweep::may_leave(Index point) const {
    const SharedCounts& counts = agreement_.counts();
    return counts.k() > 1 && (options_.allow_empty || !counts.is_last(point));
}

Index Sweep::take(Index point, const Proposal& proposal) {
    if (proposal.label == kNoLabel) return 0;
    agreement_.move(point, proposal.label, proposal.value);
    best_.note(point, proposal.label, agreement_.counts().labels(), proposal.value);
    return 1;
}

}  // namespace intarsia
