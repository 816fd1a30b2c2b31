#include "intarsia/partition/random_swap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace intarsia {

namespace {

constexpr double kLeastGain = 1e-12;

Index draw_point(const Hartigan& partition, Rng& rng) {
    return static_cast<Index>(rng.below(partition.labels().size()));
}

// By cluster cost, then by cost within the cluster.
Index draw_costly_point(const Hartigan& partition, Rng& rng) {
    double left = rng.uniform() * partition.cost();
    Label c = 0;
    while (c + 1 < partition.n_clusters() && left >= partition.cluster_cost(c))
        left -= partition.cluster_cost(c++);
    const auto members = partition.members(c);
    for (std::int32_t i : members) {
        left -= partition.own_cost(i);
        if (left < 0) return i;
    }
    return members.back();
}

Label draw_cluster(const Hartigan& partition, Label other_than, Rng& rng) {
    const auto c = static_cast<Label>(rng.below(static_cast<std::uint64_t>(partition.n_clusters() - 1)));
    return c < other_than ? c : c + 1;
}

// What dissolving a cluster costs, as of when that cluster last changed: the estimate takes long.
class RemovalCosts {
  public:
    explicit RemovalCosts(const Hartigan& partition)
        : partition_(partition), cost_(static_cast<std::size_t>(partition.n_clusters()), kUnknown) {}

    double of(Label c) {
        if (std::isnan(cost_[c])) cost_[c] = partition_.removal_cost(c);
        return cost_[c];
    }
    void forget(std::span<const Label> clusters) {
        for (Label c : clusters) cost_[c] = kUnknown;
    }
    void forget_all() { std::ranges::fill(cost_, kUnknown); }

  private:
    static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

    const Hartigan& partition_;
    std::vector<double> cost_;
};

// The cheapest to dissolve of some clusters drawn at random.
Label draw_cheap_cluster(const Hartigan& partition, Label other_than, Index n_drawn, RemovalCosts& costs,
                         Rng& rng) {
    Label best = draw_cluster(partition, other_than, rng);
    for (Index drawn = 1; drawn < n_drawn; ++drawn) {
        const Label other = draw_cluster(partition, other_than, rng);
        if (costs.of(other) < costs.of(best)) best = other;
    }
    return best;
}

// 2, 2, 4, 4, 8, 8, 16, 16, 2, ...: choosy draws mend what is clearly wrong, the others search widely.
Index n_drawn_in(Index trial) { return Index{2} << (trial / 2 % 4); }

}  // namespace

SwapCounts random_swaps(Hartigan& partition, Index n_swaps, Rng& rng, const SwapObserver& observer,
                        const std::function<bool()>& stop, const HardSwap& hard_swap) {
    SwapCounts counts;
    if (partition.n_clusters() < 2) return counts;
    RemovalCosts removal(partition);
    for (; counts.tried < n_swaps && !(stop && stop()); ++counts.tried) {
        const double before = partition.cost();
        const Index point =
            counts.tried % 2 == 0 ? draw_point(partition, rng) : draw_costly_point(partition, rng);
        const Label c =
            draw_cheap_cluster(partition, partition.labels()[point], n_drawn_in(counts.tried), removal, rng);
        partition.begin_trial();
        const bool possible = partition.relocate(c, point);
        const bool better = possible && partition.improve_below(before * (1 - kLeastGain));
        if (possible && observer) observer(partition, before);
        if (better) {
            removal.forget(partition.touched());
            partition.keep();
            ++counts.kept;
        } else {
            partition.undo();
            if (!possible && hard_swap && hard_swap(partition, c, point)) {
                removal.forget_all();
                ++counts.kept;
            }
        }
    }
    return counts;
}

}  // namespace intarsia
