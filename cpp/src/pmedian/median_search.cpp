#include "intarsia/pmedian/median_search.hpp"

#include <algorithm>
#include <type_traits>

#include "intarsia/pmedian/column_median.hpp"
#include "intarsia/pmedian/full_pass.hpp"
#include "intarsia/pmedian/median_state.hpp"
#include "intarsia/pmedian/median_swaps.hpp"

namespace intarsia {

namespace {

constexpr double kFirstLook = 10;  // distances for each point and cluster

template <class State>
class Search {
  public:
    Search(const Space& space, State& state, const MedianSearchOptions& options, ColumnPool& columns,
           Rng& rng)
        : space_(space),
          state_(state),
          options_(options),
          columns_(columns),
          rng_(rng),
          deadline_(options.seconds) {}

    double descend() {
        full_pass(state_, is_late());
        collect();
        return state_.cost();
    }

    void run() {
        next_look_ = kFirstLook * state_.n_points() * static_cast<double>(state_.n_clusters());
        first_work_ = state_.work();
        last_cost_ = state_.cost();
        const bool is_free = state_.n_clusters() < state_.n_points();  // otherwise all are medians
        for (Index trial = 0; is_free && trial < options_.n_trials && !is_over(); ++trial) try_one(trial);
        if (has_gained_) full_pass(state_, is_late());  // otherwise it is where the descent ended
    }

  private:
    auto is_late() const {
        return [this] { return deadline_.is_over(); };
    }

    void try_one(Index trial) {
        const Point entering = draw_point();
        const double before = state_.cost();
        state_.save();
        state_.forget_touched();
        state_.replace(draw_cluster(trial, entering), entering);
        nearby_passes(state_, is_late());
        const double mean = before / state_.n_clusters();
        if (state_.cost() <= before + options_.keep_within * mean) collect();
        const bool is_better = state_.cost() < before * (1 - kLeastMedianGain);
        if (!is_better) state_.restore();
        has_gained_ |= is_better;
    }

    // Any that is no median.
    Point draw_point() {
        while (true) {
            const auto i = static_cast<Point>(rng_.below(static_cast<std::uint64_t>(state_.n_points())));
            if (!state_.is_median(i)) return i;
        }
    }

    // One that is missed little: of two that are drawn, or the best for the new one.
    Label draw_cluster(Index trial, Point entering) {
        if (trial % 2 == 1) return state_.evaluate(entering).out;
        const auto k = static_cast<std::uint64_t>(state_.n_clusters());
        const auto a = static_cast<Label>(rng_.below(k)), b = static_cast<Label>(rng_.below(k));
        return state_.loss(b) < state_.loss(a) ? b : a;
    }

    void collect() {
        for (Label c : state_.touched()) {
            sorted_.assign(state_.members(c).begin(), state_.members(c).end());
            std::sort(sorted_.begin(), sorted_.end());
            if (columns_.find(sorted_) == ColumnPool::kAbsent)
                columns_.add(sorted_, column_median(space_, sorted_, state_.medians()[c]).cost, 0);
        }
    }

    bool is_over() {
        if (deadline_.is_over() || state_.work() >= options_.max_work || state_.cost() <= 0) return true;
        if (state_.work() - first_work_ < next_look_) return false;
        const double gain = last_cost_ - state_.cost();
        next_look_ *= 2;
        last_cost_ = state_.cost();
        return options_.least_gain > 0 && gain <= options_.least_gain * last_cost_;
    }

    const Space& space_;
    State& state_;
    const MedianSearchOptions& options_;
    ColumnPool& columns_;
    Rng& rng_;
    Deadline deadline_;
    double next_look_ = 0, first_work_ = 0, last_cost_ = 0;
    bool has_gained_ = false;
    std::vector<Point> sorted_;
};

}  // namespace

MedianSearchResult median_search(const Space& space, std::span<const Point> medians,
                                 const MedianSearchOptions& options, Rng& rng) {
    MedianSearchResult result{{}, {}, 0, 0, 0, ColumnPool(space.n_points())};
    if (medians.size() < 2) {
        MedianFit fit = swap_medians(space, medians);
        return {fit.medians, fit.labels, fit.cost, fit.cost, fit.work, std::move(result.columns)};
    }
    check_space(space);
    with_distance(space, [&](const auto& distance) {
        MedianState<std::decay_t<decltype(distance)>> state(space, distance);
        state.load(medians);
        Search search(space, state, options, result.columns, rng);
        result.start_cost = search.descend();
        search.run();
        result.medians = state.medians();
        result.labels = state.labels();
        result.cost = state.cost();
        result.work = state.work();
    });
    return result;
}

}  // namespace intarsia
