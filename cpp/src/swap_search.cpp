#include "intarsia/swap_search.hpp"

#include <algorithm>
#include <chrono>

#include "intarsia/size_flow.hpp"

namespace intarsia {

namespace {

constexpr Index kFlowsPerSwap = 3;
constexpr double kLeastGain = 1e-12;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// Adds the clusters that a trial changed.
class Collector {
  public:
    Collector(const WeightedPoints& points, ColumnPool& columns, const SwapSearchOptions& options)
        : points_(points), columns_(columns), options_(options) {}

    void operator()(const Hartigan& partition, double cost_before) {
        const double mean = cost_before / static_cast<double>(partition.n_clusters());
        if (partition.cost() > cost_before + options_.keep_within * mean) return;
        for (Label c : partition.touched()) add(partition.members(c));
    }

    void add_all(const Hartigan& partition) {
        for (Label c = 0; c < partition.n_clusters(); ++c) add(partition.members(c));
    }

  private:
    void add(std::span<const std::int32_t> members) {
        sorted_.assign(members.begin(), members.end());
        std::sort(sorted_.begin(), sorted_.end());
        if (columns_.find(sorted_) == ColumnPool::kAbsent)
            columns_.add(sorted_, column_sse(points_, sorted_), 0);
    }

    WeightedPoints points_;
    ColumnPool& columns_;
    const SwapSearchOptions& options_;
    std::vector<Point> sorted_;
};

// A swap under tight size bounds: one centre goes to the point, and flows settle the sizes.
class FlowSwap {
  public:
    FlowSwap(const WeightedPoints& points, Index k, const SwapSearchOptions& options, Collector& collector)
        : points_(points),
          k_(k),
          sizes_(options.sizes),
          n_left_(options.n_flow_swaps),
          trial_(points.x, points.weights, k, options.sizes),
          collector_(collector) {}

    bool operator()(Hartigan& partition, Label c, Index point) {
        if (n_left_ == 0) return false;
        --n_left_;
        const Index d = points_.x.n_cols();
        std::vector<double> centres(partition.centre(0), partition.centre(0) + k_ * d);
        std::copy_n(points_.x.row(point), d, centres.begin() + c * d);
        trial_.load(kmeans_within_sizes(points_, std::move(centres), k_, sizes_, kFlowsPerSwap));
        trial_.improve();
        collector_.add_all(trial_);
        if (!(trial_.cost() < partition.cost() * (1 - kLeastGain))) return false;
        partition.load(trial_.labels());
        partition.improve();
        return true;
    }

  private:
    WeightedPoints points_;
    Index k_;
    SizeBounds sizes_;
    Index n_left_;
    Hartigan trial_;
    Collector& collector_;
};

}  // namespace

SwapSearchResult swap_search(const WeightedPoints& points, std::span<const Label> labels, Index k,
                             const SwapSearchOptions& options, Rng& rng) {
    const auto start = Clock::now();
    SwapSearchResult result{{}, {}, ColumnPool(points.x.n_rows())};
    Hartigan partition(points.x, points.weights, k, options.sizes);
    partition.load(labels);
    partition.improve();
    Collector collector(points, result.columns, options);
    const auto is_late = [&] { return seconds_since(start) > options.seconds; };
    HardSwap hard_swap;
    if (options.n_flow_swaps > 0) hard_swap = FlowSwap(points, k, options, collector);
    result.counts = random_swaps(partition, options.n_swaps, rng, std::ref(collector), is_late, hard_swap);
    result.labels.assign(partition.labels().begin(), partition.labels().end());
    return result;
}

}  // namespace intarsia
