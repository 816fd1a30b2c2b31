#include "intarsia/partition/random_swap.hpp"

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

Label draw_cheap_cluster(const Hartigan& partition, Label other_than, Rng& rng) {
    const Label a = draw_cluster(partition, other_than, rng);
    const Label b = draw_cluster(partition, other_than, rng);
    if (a == b) return a;
    return partition.removal_cost(b) < partition.removal_cost(a) ? b : a;
}

}  // namespace

SwapCounts random_swaps(Hartigan& partition, Index n_swaps, Rng& rng, const SwapObserver& observer,
                        const std::function<bool()>& stop, const HardSwap& hard_swap) {
    SwapCounts counts;
    if (partition.n_clusters() < 2) return counts;
    for (; counts.tried < n_swaps && !(stop && stop()); ++counts.tried) {
        const double before = partition.cost();
        const Index point =
            counts.tried % 2 == 0 ? draw_point(partition, rng) : draw_costly_point(partition, rng);
        const Label c = draw_cheap_cluster(partition, partition.labels()[point], rng);
        partition.begin_trial();
        const bool possible = partition.relocate(c, point);
        const bool better = possible && partition.improve_below(before * (1 - kLeastGain));
        if (possible && observer) observer(partition, before);
        if (better) {
            partition.keep();
            ++counts.kept;
        } else {
            partition.undo();
            if (!possible && hard_swap && hard_swap(partition, c, point)) ++counts.kept;
        }
    }
    return counts;
}

}  // namespace intarsia
