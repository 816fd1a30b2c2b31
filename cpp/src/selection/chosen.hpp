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
    bool has(Point c) const { return place_[static_cast<std::size_t>(c)] != kNobody; }
    double objective() const { return objective_; }

    /// The objective after a move; `out` is chosen, `in` is not. O(1): what it needs is counted before.
    double objective_after(Move move) const;

    void apply(Move move);

  private:
    void refresh();
    void count_points();
    double value(double goodness, double overlap, double uncovered, Index size) const;

    // holders of patterns that no chosen candidate has, or more than one
    Point nobody() const { return static_cast<Point>(chosen_.size()); }
    Point several() const { return nobody() + 1; }
    const double* held_of(std::size_t c) const { return held_.data() + c * (chosen_.size() + 2); }

    const SelectionProblem* problem_;
    std::vector<Point> chosen_;      // ascending
    std::vector<Point> place_;       // of each candidate among those chosen, or kNobody
    std::vector<double> load_;       // of each candidate: its overlap with those chosen
    std::vector<Point> holder_;      // of each pattern: the place of its only holder, nobody() or several()
    std::vector<double> by_holder_;  // points of all patterns, by their holder
    std::vector<double> held_;       // points of each candidate that is not chosen, by their holder
    double goodness_ = 0, overlap_ = 0, all_points_ = 0;
    double objective_ = 0;
};

}  // namespace intarsia
