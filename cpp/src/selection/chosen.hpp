#pragma once

#include <vector>

#include "intarsia/selection/selection.hpp"

namespace intarsia {

inline constexpr Point kNobody = -1;

/// One candidate out, one in; either may be nobody.
struct Move {
    Point out = kNobody;
    Point in = kNobody;
};

/// Chosen candidates with all that the change of the objective by any move is read off from.
class ChosenClusters {
  public:
    ChosenClusters(const SelectionProblem& problem, std::vector<Point> chosen);

    const std::vector<Point>& chosen() const { return chosen_; }
    Index size() const { return static_cast<Index>(chosen_.size()); }
    bool has(Point c) const { return is_chosen_[static_cast<std::size_t>(c)] != 0; }
    double objective() const { return objective_; }

    /// Objectives after `out` (or nobody) has left and each candidate that is not chosen has come in its
    /// place; `without` is that after it has left alone.
    struct Outcomes {
        double without;
        std::vector<double> with;
    };
    Outcomes evaluate(Point out);

    void apply(Move move);

  private:
    void refresh();
    double value(double goodness, double overlap, double uncovered, Index size) const;

    const SelectionProblem* problem_;
    std::vector<Point> chosen_;  // ascending
    std::vector<char> is_chosen_;
    std::vector<int> n_covering_;  // of each pattern
    std::vector<double> load_;     // of each candidate: its overlap with those chosen
    double goodness_ = 0, overlap_ = 0, uncovered_ = 0, all_points_ = 0;
    double objective_ = 0;
};

}  // namespace intarsia
