#include "intarsia/pmedian/median_swaps.hpp"

#include <algorithm>
#include <string>
#include <type_traits>

#include "intarsia/common/label_groups.hpp"
#include "intarsia/pmedian/column_median.hpp"
#include "intarsia/pmedian/full_pass.hpp"
#include "intarsia/pmedian/median_state.hpp"

namespace intarsia {

namespace {

constexpr Index kTrials = 3;  // candidates of each greedy draw: more take longer than the swaps they save

// Points that are drawn without being drawn twice, and how far each of the others is from them.
template <class Distance>
class Drawing {
  public:
    Drawing(const Space& space, const Distance& distance)
        : space_(space),
          distance_(distance),
          nearest_(static_cast<std::size_t>(space.n_points()), std::numeric_limits<double>::infinity()),
          is_drawn_(nearest_.size(), 0) {}

    void take(Point m) {
        is_drawn_[m] = 1;
        drawn_.push_back(m);
        for (Point i = 0; i < space_.n_points(); ++i) nearest_[i] = std::min(nearest_[i], value(i, m));
    }

    // Any of those not drawn yet.
    Point any(Rng& rng) const {
        auto place = rng.below(nearest_.size() - drawn_.size());
        for (Point i = 0;; ++i) {
            if (!is_drawn_[i] && place-- == 0) return i;
        }
    }

    Point best_of(Index n_trials, Rng& rng) const {
        double total = 0;
        for (Point i = 0; i < space_.n_points(); ++i) total += space_.weight(i) * nearest_[i];
        if (!(total > 0)) return any(rng);
        Point best = -1;
        double least = std::numeric_limits<double>::infinity();
        for (Index trial = 0; trial < n_trials; ++trial) {
            const Point m = by_distance(rng.uniform() * total);
            const double cost = cost_with(m);
            if (cost < least) best = m, least = cost;
        }
        return best;
    }

    std::vector<Point> drawn() const { return drawn_; }

  private:
    double value(Point i, Point m) const { return distance_.value(distance_.raw(i, m)); }

    Point by_distance(double left) const {
        Point last = 0;
        for (Point i = 0; i < space_.n_points(); ++i) {
            const double mass = space_.weight(i) * nearest_[i];
            if (is_drawn_[i] || mass <= 0) continue;
            last = i;
            left -= mass;
            if (left < 0) break;
        }
        return last;
    }

    double cost_with(Point m) const {
        double total = 0;
        for (Point i = 0; i < space_.n_points(); ++i)
            total += space_.weight(i) * std::min(nearest_[i], value(i, m));
        return total;
    }

    const Space& space_;
    Distance distance_;
    std::vector<double> nearest_;
    std::vector<char> is_drawn_;
    std::vector<Point> drawn_;
};

MedianFit one_median(const Space& space) {
    std::vector<Point> all(static_cast<std::size_t>(space.n_points()));
    for (Point i = 0; i < space.n_points(); ++i) all[i] = i;
    const ColumnMedian found = column_median(space, all);
    const auto n = static_cast<double>(space.n_points());
    return {{found.median}, std::vector<Label>(all.size(), 0), found.cost, n * n};
}

void check_medians(const Space& space, std::span<const Point> medians) {
    std::vector<char> seen(static_cast<std::size_t>(space.n_points()), 0);
    for (Point m : medians) {
        if (m < 0 || m >= space.n_points() || seen[m]++)
            throw InvalidInput("medians should be different points.");
    }
    if (medians.empty()) throw InvalidInput("there should be at least one median.");
}

}  // namespace

std::vector<Point> draw_medians(const Space& space, Index k, bool greedy, Rng& rng) {
    check_space(space);
    if (k < 1 || k > space.n_points()) throw InvalidInput("k should be between 1 and the number of points.");
    return with_distance(space, [&](const auto& distance) {
        Drawing<std::decay_t<decltype(distance)>> drawing(space, distance);
        drawing.take(drawing.any(rng));
        for (Index c = 1; c < k; ++c) drawing.take(greedy ? drawing.best_of(kTrials, rng) : drawing.any(rng));
        return drawing.drawn();
    });
}

MedianFit swap_medians(const Space& space, std::span<const Point> medians, double seconds) {
    check_space(space);
    check_medians(space, medians);
    if (medians.size() == 1) return one_median(space);
    const Deadline deadline(seconds);
    return with_distance(space, [&](const auto& distance) {
        MedianState<std::decay_t<decltype(distance)>> state(space, distance);
        state.load(medians);
        full_pass(state, [&] { return deadline.is_over(); });
        return MedianFit{state.medians(), state.labels(), state.cost(), state.work()};
    });
}

std::vector<Point> medians_of(const Space& space, std::span<const Label> labels, Index k) {
    check_space(space);
    check_labels(labels, space.n_points(), k);
    const Groups groups = group_labels(labels, k);
    std::vector<Point> medians;
    std::vector<char> taken(labels.size(), 0);
    for (Index c = 0; c < k; ++c) {
        if (groups.size(c) == 0) throw InvalidInput("no cluster should be empty.");
        Point m = column_median(space, groups[c]).median;
        // another cluster's already: any point can stand in, since nobody loses the one he had
        if (taken[m]) m = static_cast<Point>(std::find(taken.begin(), taken.end(), 0) - taken.begin());
        taken[m] = 1;
        medians.push_back(m);
    }
    return medians;
}

}  // namespace intarsia
