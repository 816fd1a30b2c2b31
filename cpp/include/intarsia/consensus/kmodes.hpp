#pragma once

#include <span>

#include "intarsia/common/rng.hpp"
#include "intarsia/consensus/label_lloyd.hpp"

namespace intarsia {

/// The k-modes model of a cluster: a row costs the weight of the members whose label is not the commonest one
/// of its cluster; a missing label costs nothing.
class Modes : public LabelModel {
  public:
    Modes(const SlotMap& slots, std::span<const double> member_weights)
        : slots_(slots), member_weights_(member_weights) {}

    RowTerms terms(std::span<const Entry> row) const override;
    void learn(const SlotTable& counts, Index c, double mass, SlotTable& scores) const override;

  private:
    const SlotMap& slots_;
    std::span<const double> member_weights_;
};

/// k-modes from a partition of the rows (by their labels): every row to its cheapest cluster until none
/// moves.
LabelRun kmodes(const LabelProblem& problem, std::span<const double> member_weights,
                std::span<const Label> start);

/// Better partitions from a k-modes partition: n_swaps times a cluster gives up its mode for a row that costs
/// much, k-modes follows, and the result is kept if it is cheaper; then single moves (see improve_modes).
LabelRun improve_kmodes(const LabelProblem& problem, std::span<const double> member_weights,
                        const LabelRun& start, Index n_swaps, Rng& rng);

}  // namespace intarsia
