#include "intarsia/consensus/qmi.hpp"

namespace intarsia {

namespace {

// Centring moves points and centres alike, so plain indicators do; only missing labels need the means.
class IndicatorMeans : public LabelModel {
  public:
    IndicatorMeans(const LabelProblem& problem, std::span<const double> member_weights)
        : slots_(problem.rows.slots()), member_weights_(member_weights) {
        const LabelProblem whole{problem.rows, problem.point_weights, 1, 1, problem.n_threads};
        const SlotTable counts = tally(whole, {}, {});
        for (Index j = 0; j < slots_.n_members(); ++j) append_means(counts, j);
    }

    // Squared length of the row, whose missing labels are means.
    RowTerms terms(std::span<const Entry> row) const override {
        RowTerms terms;
        for (const Entry& e : row) {
            const Index j = slots_.member(e.slot);
            const double square = slots_.is_missing(e.slot) ? squared_means_[j] : e.share * e.share;
            terms.constant += member_weights_[j] * square;
        }
        return terms;
    }

    void learn(const SlotTable& counts, Index c, double mass, SlotTable& scores) const override {
        for (Index j = 0; j < slots_.n_members(); ++j) {
            const double missing = counts.row(slots_.base(j))[c];
            double square = 0;
            double at_mean = 0;
            for (Index s = slots_.base(j) + 1; s < slots_.end(j); ++s) {
                const double centre = (counts.row(s)[c] + missing * means_[s]) / mass;
                square += centre * centre;
                at_mean += centre * means_[s];
                scores.row(s)[c] = centre;
            }
            // A row has shares of one in all in each member: the centre's length can ride on the slots.
            for (Index s = slots_.base(j) + 1; s < slots_.end(j); ++s)
                scores.row(s)[c] = member_weights_[j] * (2 * scores.row(s)[c] - square);
            scores.row(slots_.base(j))[c] = member_weights_[j] * (2 * at_mean - square);
        }
    }

  private:
    void append_means(const SlotTable& counts, Index j) {
        double known = 0;
        double square = 0;
        for (Index s = slots_.base(j) + 1; s < slots_.end(j); ++s) known += counts.row(s)[0];
        means_.push_back(0.0);
        for (Index s = slots_.base(j) + 1; s < slots_.end(j); ++s) {
            means_.push_back(known > 0 ? counts.row(s)[0] / known : 0.0);
            square += means_.back() * means_.back();
        }
        squared_means_.push_back(square);
    }

    const SlotMap& slots_;
    std::span<const double> member_weights_;
    std::vector<double> means_;
    std::vector<double> squared_means_;
};

}  // namespace

LabelRun qmi(const LabelProblem& problem, std::span<const double> member_weights,
             std::span<const Label> start) {
    return label_lloyd(problem, IndicatorMeans(problem, member_weights), start);
}

}  // namespace intarsia
