#include "intarsia/pool/swap_search.hpp"

#include <algorithm>
#include <chrono>

#include "intarsia/common/deadline.hpp"
#include "intarsia/common/label_groups.hpp"
#include "intarsia/common/listener.hpp"
#include "intarsia/partition/kmeans_within_sizes.hpp"

namespace intarsia {

namespace {

constexpr Index kFlowsPerSwap = 3;
constexpr double kLeastGain = 1e-12;
constexpr double kFirstLook = 10;  // distances for each point and cluster

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// The points in the order of their clusters: what a search visits together lies together in memory.
class ByCluster {
  public:
    ByCluster(const WeightedPoints& points, std::span<const Label> labels, Index k)
        : groups_(group_labels(labels, k)), n_dims_(points.n_dims()) {
        rows_.reserve(groups_.members.size() * static_cast<std::size_t>(n_dims_));
        for (Point i : groups_.members) {
            rows_.insert(rows_.end(), points.row(i), points.row(i) + n_dims_);
            labels_.push_back(labels[i]);
            if (!points.weights.empty()) weights_.push_back(points.weight(i));
        }
    }

    WeightedPoints points() const {
        return {{rows_.data(), static_cast<Index>(labels_.size()), n_dims_}, weights_};
    }
    std::span<const Label> labels() const { return labels_; }
    /// The point's number where it came from.
    Point original(Index i) const { return groups_.members[i]; }

    std::vector<Label> in_order(std::span<const Label> labels) const {
        std::vector<Label> back(labels.size());
        for (std::size_t i = 0; i < labels.size(); ++i) back[groups_.members[i]] = labels[i];
        return back;
    }

  private:
    Groups groups_;
    Index n_dims_;
    std::vector<double> rows_, weights_;
    std::vector<Label> labels_;
};

// Adds the clusters that a trial changed.
class Collector {
  public:
    Collector(const WeightedPoints& points, const ByCluster& order, ColumnPool& columns,
              const SwapSearchOptions& options)
        : points_(points), order_(order), columns_(columns), options_(options) {}

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
        sorted_.clear();
        for (std::int32_t i : members) sorted_.push_back(order_.original(i));
        std::sort(sorted_.begin(), sorted_.end());
        if (columns_.find(sorted_) == ColumnPool::kAbsent)
            columns_.add(sorted_, column_sse(points_, sorted_), 0);
    }

    WeightedPoints points_;
    const ByCluster& order_;
    ColumnPool& columns_;
    const SwapSearchOptions& options_;
    std::vector<Point> sorted_;
};

// A swap under tight size limits: one centre goes to the point, and flows restore the sizes.
class FlowSwap {
  public:
    FlowSwap(const WeightedPoints& points, Index k, const SwapSearchOptions& options, Collector& collector,
             std::function<bool()> is_late)
        : points_(points),
          k_(k),
          sizes_(options.sizes),
          n_left_(options.n_flow_swaps),
          trial_(points, k, options.sizes),
          collector_(collector),
          is_late_(std::move(is_late)) {}

    bool operator()(Hartigan& partition, Label c, Index point) {
        if (n_left_ == 0) return false;
        --n_left_;
        const Index d = points_.x.n_cols();
        std::vector<double> centres(partition.centre(0), partition.centre(0) + k_ * d);
        std::copy_n(points_.x.row(point), d, centres.begin() + c * d);
        const auto labels =
            kmeans_within_sizes(points_, {centres.data(), k_, d}, sizes_, kFlowsPerSwap, is_late_);
        if (labels.empty()) return false;
        trial_.load(labels);
        trial_.improve(is_late_);
        collector_.add_all(trial_);
        if (!(trial_.cost() < partition.cost() * (1 - kLeastGain))) return false;
        partition.load(trial_.labels());
        partition.improve();
        return true;
    }

  private:
    WeightedPoints points_;
    Index k_;
    SizeLimits sizes_;
    Index n_left_;
    Hartigan trial_;
    Collector& collector_;
    std::function<bool()> is_late_;
};

// Asked before each trial: whether the work is done, or its later half was in vain.
class Patience {
  public:
    Patience(const Hartigan& partition, Index n_points, const SwapSearchOptions& options)
        : partition_(partition),
          options_(options),
          start_(work()),
          next_look_(kFirstLook * static_cast<double>(n_points * partition.n_clusters())),
          next_trial_(partition.n_clusters()),
          last_cost_(partition.cost()) {}

    bool is_over() {
        const double done = work_so_far();
        if (done >= options_.max_work || partition_.cost() <= 0) return true;  // nothing costs less
        if (n_trials_++ < next_trial_ || done - start_ < next_look_) return false;
        const double gain = last_cost_ - partition_.cost();
        next_look_ = 2 * (done - start_);
        next_trial_ = 2 * n_trials_;
        last_cost_ = partition_.cost();
        return options_.least_gain > 0 && gain <= options_.least_gain * last_cost_;
    }

  private:
    double work() const { return static_cast<double>(partition_.work()); }

    // A trial that was impossible took no distances; were it free, a search of nothing else would never end.
    double work_so_far() {
        if (n_trials_ > 0 && work() == last_work_) idle_ += static_cast<double>(partition_.n_clusters());
        last_work_ = work();
        return last_work_ + idle_;
    }

    const Hartigan& partition_;
    const SwapSearchOptions& options_;
    double start_;
    double next_look_;
    Index next_trial_;
    Index n_trials_ = 0;
    double last_cost_;
    double last_work_ = 0;
    double idle_ = 0;
};

}  // namespace

SwapSearchResult swap_search(const WeightedPoints& points, std::span<const Label> labels, Index k,
                             const SwapSearchOptions& options, Rng& rng) {
    const auto start = Clock::now();
    SwapSearchResult result{{}, {}, 0, 0, 0, ColumnPool(points.x.n_rows())};
    const ByCluster order(points, labels, k);
    Hartigan partition(order.points(), k, options.sizes);
    Listener listener(options.is_unwanted);
    partition.load(order.labels());
    // Whoever asked adds the result up afresh, which takes about as long as it took to begin.
    const double seconds = options.seconds - (options.seconds < kNoLimit ? seconds_since(start) : 0);
    const auto is_late = [&] { return seconds_since(start) > seconds || listener.is_over(); };
    partition.improve(is_late);
    result.start_cost = partition.cost();
    Collector collector(points, order, result.columns, options);
    HardSwap hard_swap;
    if (options.n_flow_swaps > 0) hard_swap = FlowSwap(order.points(), k, options, collector, is_late);
    Patience patience(partition, points.n_points(), options);
    const auto is_enough = [&] { return is_late() || patience.is_over(); };
    result.counts = random_swaps(partition, options.n_swaps, rng, std::ref(collector), is_enough, hard_swap);
    result.work = static_cast<double>(partition.work());
    result.cost = partition.cost();
    result.labels = order.in_order(partition.labels());
    return result;
}

}  // namespace intarsia
