#pragma once

#include <algorithm>
#include <vector>

#include "intarsia/pmedian/median_state.hpp"

namespace intarsia {

inline constexpr double kLeastMedianGain = 1e-12;  // of the cost: less may be rounding
inline constexpr Index kMostSwapsAPoint = 100;     // where all costs are rounding, swaps would go in circles

/// Tries a point as a new median; replaces the best one at once where that pays.
template <class State>
bool try_median(State& state, Point candidate, bool nearby) {
    if (state.is_median(candidate)) return false;
    const MedianSwap swap = state.evaluate(candidate, nearby);
    if (!(swap.change < -kLeastMedianGain * state.cost())) return false;
    state.replace(swap.out, candidate);
    return true;
}

/// Tries the points in turn until none pays.
template <class State, class IsLate>
void full_pass(State& state, IsLate&& is_late) {
    Point n_in_vain = 0;
    Index swaps_left = kMostSwapsAPoint * state.n_points();
    for (Point i = 0; n_in_vain < state.n_points() && !is_late(); i = i + 1 == state.n_points() ? 0 : i + 1) {
        const bool is_better = swaps_left > 0 && try_median(state, i, false);
        n_in_vain = is_better ? 1 : n_in_vain + 1;
        swaps_left -= is_better ? 1 : 0;
    }
}

/// Tries the members of the clusters that were touched against medians nearby until none pays.
template <class State, class IsLate>
void nearby_passes(State& state, IsLate&& is_late) {
    std::vector<Label> order;
    std::vector<Point> candidates;
    Index passes_left = kMostSwapsAPoint;
    for (bool is_better = true; is_better && passes_left-- > 0 && !is_late();) {
        is_better = false;
        order.assign(state.touched().begin(), state.touched().end());
        std::sort(order.begin(), order.end());
        for (Label c : order) {
            candidates.assign(state.members(c).begin(), state.members(c).end());
            for (Point i : candidates) is_better |= try_median(state, i, true);
        }
    }
}

}  // namespace intarsia
