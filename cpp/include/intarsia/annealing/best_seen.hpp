#pragma once

#include <span>
#include <utility>
#include <vector>

#include "intarsia/common/types.hpp"

namespace intarsia {

/// The best labels that a walk by single moves has passed, for a constant cost a move: moves are noted, and
/// only those up to the best moment are ever played back.
class BestSeen {
  public:
    BestSeen(std::span<const Label> labels, double value)
        : labels_(labels.begin(), labels.end()), value_(value) {}

    /// Tells that `point` has just got `label`, that `now` are all labels and `value` their value.
    void note(Index point, Label label, std::span<const Label> now, double value);
    double value() const { return value_; }
    /// The best labels; what was noted is forgotten up to them.
    const std::vector<Label>& labels();

  private:
    void forget_all(std::span<const Label> now);

    std::vector<Label> labels_;
    double value_;
    std::vector<std::pair<std::int32_t, Label>> moves_;
    std::size_t n_best_ = 0;   // moves that lead to the best labels
    bool overflowed_ = false;  // the moves since the best are too many to be worth keeping
};

}  // namespace intarsia
