#include "intarsia/swap_search.hpp"

#include <algorithm>
#include <chrono>

namespace intarsia {

namespace {

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

}  // namespace

SwapSearchResult swap_search(const WeightedPoints& points, std::span<const Label> labels, Index k,
                             const SwapSearchOptions& options, Rng& rng) {
    const auto start = Clock::now();
    SwapSearchResult result{{}, {}, ColumnPool(points.x.n_rows())};
    Hartigan partition(points.x, points.weights, k, options.sizes);
    partition.load(labels);
    partition.improve();
    Collector collector(points, result.columns, options);
    result.counts = random_swaps(partition, options.n_swaps, rng, std::ref(collector),
                                 [&] { return seconds_since(start) > options.seconds; });
    result.labels.assign(partition.labels().begin(), partition.labels().end());
    return result;
}

}  // namespace intarsia
