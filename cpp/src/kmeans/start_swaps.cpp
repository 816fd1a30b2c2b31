#include "intarsia/kmeans/start_swaps.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

#include "drawn_points.hpp"
#include "intarsia/common/parallel.hpp"

namespace intarsia {

namespace {

// For every point its two nearest starts, by their places in the list; what each start is worth.
template <class T>
class NearestTwo {
  public:
    NearestTwo(const DrawnPoints<T>& points, Index n_dims, std::vector<Index>& starts)
        : points_(points),
          n_dims_(n_dims),
          starts_(starts),
          first_(points.n_padded()),
          second_(points.n_padded()),
          closest_(points.n_padded(), kFar),
          next_(points.n_padded(), kFar),
          trial_(points.n_padded()),
          chunk_sums_(static_cast<std::size_t>(n_chunks(points.n_padded()))) {
        over_chunks([&](Index begin, Index end) {
            for (Index s = 0; s < static_cast<Index>(starts_.size()); ++s) {
                points_.nearer(starts_[s], begin, end, next_.data(), trial_.data());
                for (Index i = begin; i < end; ++i) insert(i, s, trial_[i]);
            }
        });
        add_up();
    }

    double total() const { return total_; }
    Index draw(Rng& rng) const { return points_.draw(closest_, chunk_sums_, total_, rng); }

    // Swaps the given point in if that pays.
    void offer(Index point) {
        over_chunks(
            [&](Index begin, Index end) { points_.nearer(point, begin, end, next_.data(), trial_.data()); });
        const Index out = least_missed();
        if (out >= 0) swap(out, point);
    }

  private:
    static constexpr T kFar = std::numeric_limits<T>::max();

    template <class Fn>
    void over_chunks(Fn&& fn) const {
        for_chunks(points_.n_padded(), points_.n_threads(), fn);
    }

    // Takes note of the distance to the start at place s, if it is below that to the second one so far.
    void insert(Index i, Index s, T distance) {
        if (!(distance < next_[i])) return;
        if (distance < closest_[i]) {
            next_[i] = closest_[i];
            second_[i] = first_[i];
            closest_[i] = distance;
            first_[i] = static_cast<std::int32_t>(s);
        } else {
            next_[i] = distance;
            second_[i] = static_cast<std::int32_t>(s);
        }
    }

    void add_up() {
        over_chunks([&](Index begin, Index end) {
            double sum = 0;
            for (Index i = begin; i < end; ++i) sum += points_.weight(i) * static_cast<double>(closest_[i]);
            chunk_sums_[static_cast<std::size_t>(begin / kChunk)] = sum;
        });
        total_ = std::accumulate(chunk_sums_.begin(), chunk_sums_.end(), 0.0);
        worth_.assign(starts_.size(), 0.0);
        for (Index i = 0; i < points_.n_padded(); ++i)
            worth_[static_cast<std::size_t>(first_[i])] +=
                points_.weight(i) * (static_cast<double>(next_[i]) - static_cast<double>(closest_[i]));
    }

    // The start whose points lose least with the trial in its place; -1 if the sum would not fall.
    Index least_missed() const {
        auto missed = worth_;
        double gained = 0;
        for (Index i = 0; i < points_.n_padded(); ++i) {
            if (!(trial_[i] < next_[i])) continue;  // it stays out of nearly every point's two
            const double trial = trial_[i], closest = closest_[i], with = std::min(trial, closest);
            gained += points_.weight(i) * (closest - with);
            missed[static_cast<std::size_t>(first_[i])] +=
                points_.weight(i) * (trial - with - (static_cast<double>(next_[i]) - closest));
        }
        const auto least = std::min_element(missed.begin(), missed.end());
        return *least < gained ? static_cast<Index>(least - missed.begin()) : -1;
    }

    void swap(Index out, Index point) {
        starts_[static_cast<std::size_t>(out)] = point;
        over_chunks([&](Index begin, Index end) {
            for (Index i = begin; i < std::min(end, points_.n_points()); ++i) {
                if (first_[i] == out || second_[i] == out)
                    look_again(i);
                else
                    insert(i, out, trial_[i]);
            }
        });
        add_up();
    }

    void look_again(Index i) {
        closest_[i] = next_[i] = kFar;
        const T* own = points_.row(i);
        for (Index s = 0; s < static_cast<Index>(starts_.size()); ++s)
            insert(i, s, kernels<T>().between(own, points_.row(starts_[s]), n_dims_));
    }

    const DrawnPoints<T>& points_;
    Index n_dims_;
    std::vector<Index>& starts_;
    std::vector<std::int32_t> first_;
    std::vector<std::int32_t> second_;
    std::vector<T> closest_;
    std::vector<T> next_;
    std::vector<T> trial_;
    std::vector<double> chunk_sums_;
    std::vector<double> worth_;
    double total_ = 0;
};

}  // namespace

template <class T>
void swap_starts(const WeightedPointsOf<T>& points, std::vector<Index>& starts, Index n_swaps, Rng& rng,
                 int n_threads, double seconds) {
    if (starts.size() < 2) return;
    const Deadline deadline(seconds);
    const DrawnPoints<T> drawn(points, n_threads);
    NearestTwo<T> nearest(drawn, points.n_dims(), starts);
    for (Index swap = 0; swap < n_swaps && nearest.total() > 0 && !deadline.is_over(); ++swap)
        nearest.offer(nearest.draw(rng));
}

#define INTARSIA_INSTANTIATE(T) \
    template void swap_starts<T>(const WeightedPointsOf<T>&, std::vector<Index>&, Index, Rng&, int, double);
INTARSIA_INSTANTIATE(double)
INTARSIA_INSTANTIATE(float)
#undef INTARSIA_INSTANTIATE

}  // namespace intarsia
