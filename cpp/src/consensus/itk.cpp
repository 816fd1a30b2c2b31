#include "intarsia/consensus/itk.hpp"

#include <cmath>

#include "intarsia/common/error.hpp"

namespace intarsia {

namespace {

class Distributions : public LabelModel {
  public:
    Distributions(const SlotMap& slots, std::span<const double> member_weights, double smoothing)
        : slots_(slots), member_weights_(member_weights), kept_(1 - smoothing) {
        double all = 0;
        for (double w : member_weights) all += w;
        for (Index s = 0; s < slots.n_slots(); ++s) {
            const Index j = slots.member(s);
            const double even = member_weights[j] / all / static_cast<double>(slots.n_classes(j));
            floor_.push_back(slots.is_missing(s) ? 0.0 : smoothing * even);
            floor_entropy_ += entropy_term(floor_.back());
        }
    }

    // factor = what one unit of member weight counts for; constant = sum p log p, in units of the factor.
    RowTerms terms(std::span<const Entry> row) const override {
        double known = 0;
        for (const Entry& e : row)
            if (!slots_.is_missing(e.slot)) known += weight(e.slot) * e.share;
        RowTerms terms{kept_ / known, floor_entropy_};
        for (const Entry& e : row) {
            if (slots_.is_missing(e.slot)) continue;
            const double floor = floor_[e.slot];
            terms.constant += entropy_term(terms.factor * weight(e.slot) * e.share + floor);
            terms.constant -= entropy_term(floor);
        }
        terms.constant /= terms.factor;
        return terms;
    }

    void learn(const SlotTable& counts, Index c, double mass, SlotTable& scores) const override {
        double everywhere = 0;
        for (Index s = 0; s < slots_.n_slots(); ++s) {
            if (slots_.is_missing(s)) continue;
            const double log_mean = std::log(weight(s) * counts.row(s)[c] / mass + floor_[s]);
            everywhere += floor_[s] * log_mean;
            scores.row(s)[c] = log_mean;
        }
        // The even part of a row meets every slot: spread over its known labels, which weigh kept_ in all.
        for (Index s = 0; s < slots_.n_slots(); ++s)
            if (!slots_.is_missing(s)) scores.row(s)[c] = weight(s) * (scores.row(s)[c] + everywhere / kept_);
    }

  private:
    static double entropy_term(double p) { return p > 0 ? p * std::log(p) : 0.0; }
    double weight(Index slot) const { return member_weights_[slots_.member(slot)]; }

    const SlotMap& slots_;
    std::span<const double> member_weights_;
    double kept_;
    std::vector<double> floor_;
    double floor_entropy_ = 0;
};

}  // namespace

LabelRun itk(const LabelProblem& problem, std::span<const double> member_weights,
             std::span<const Label> start, double smoothing) {
    if (!(smoothing > 0 && smoothing < 1)) throw InvalidInput("smoothing should be between 0 and 1.");
    return label_lloyd(problem, Distributions(problem.rows.slots(), member_weights, smoothing), start);
}

}  // namespace intarsia
