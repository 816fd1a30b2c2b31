#include "intarsia/kmodes.hpp"

#include "intarsia/mode_moves.hpp"

namespace intarsia {

namespace {

class Modes : public LabelModel {
  public:
    Modes(const SlotMap& slots, std::span<const double> member_weights)
        : slots_(slots), member_weights_(member_weights) {}

    RowTerms terms(std::span<const Entry> row) const override {
        RowTerms terms;
        for (const Entry& e : row)
            if (!slots_.is_missing(e.slot)) terms.constant += member_weights_[slots_.member(e.slot)];
        return terms;
    }

    void learn(const SlotTable& counts, Index c, double, SlotTable& scores) const override {
        for (Index j = 0; j < slots_.n_members(); ++j) {
            Index mode = slots_.base(j) + 1;
            for (Index s = mode + 1; s < slots_.end(j); ++s)
                if (counts.row(s)[c] > counts.row(mode)[c]) mode = s;
            if (counts.row(mode)[c] > 0) scores.row(mode)[c] = member_weights_[j];
        }
    }

  private:
    const SlotMap& slots_;
    std::span<const double> member_weights_;
};

}  // namespace

LabelRun kmodes(const LabelProblem& problem, std::span<const double> member_weights,
                std::span<const Label> start, bool refine) {
    const LabelRows hard = problem.rows.hardened();
    const LabelProblem own{hard, problem.point_weights, problem.k, problem.max_iter, problem.n_threads};
    LabelRun run = label_lloyd(own, Modes(hard.slots(), member_weights), start);
    if (refine) {
        run.objective = improve_modes(own, member_weights, run.labels);
        run.history.push_back(run.objective);
    }
    return run;
}

}  // namespace intarsia
