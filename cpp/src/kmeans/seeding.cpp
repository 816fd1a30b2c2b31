#include "intarsia/kmeans/seeding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "drawn_points.hpp"
#include "intarsia/common/distinct.hpp"
#include "intarsia/common/error.hpp"
#include "intarsia/common/parallel.hpp"

namespace intarsia {

namespace {

void require_distinct(Index found, Index k) {
    if (found < k)
        throw InvalidInput("number of distinct points=" + std::to_string(found) +
                           " should be >= n_clusters=" + std::to_string(k) + ".");
}

// What the points cost with the centres chosen so far, and would with one more.
template <class T>
class Potential {
  public:
    explicit Potential(const DrawnPoints<T>& points)
        : points_(points), closest_(points.n_padded(), std::numeric_limits<T>::max()) {}

    struct Trial {
        Index point;
        std::vector<T> closest;
        std::vector<double> chunk_sums;
        double total = std::numeric_limits<double>::infinity();
    };

    // What the potential would be with one more centre at the given point.
    void evaluate(Index point, Trial& trial) const {
        trial.point = point;
        trial.closest.resize(closest_.size());
        trial.chunk_sums.resize(static_cast<std::size_t>(n_chunks(points_.n_padded())));
        for_chunks(points_.n_padded(), points_.n_threads(), [&](Index begin, Index end) {
            trial.chunk_sums[begin / kChunk] =
                points_.nearer(point, begin, end, closest_.data(), trial.closest.data());
        });
        trial.total = std::accumulate(trial.chunk_sums.begin(), trial.chunk_sums.end(), 0.0);
    }

    void accept(Trial& trial) {
        closest_.swap(trial.closest);
        chunk_sums_.swap(trial.chunk_sums);
        total_ = trial.total;
    }

    // The point will not be drawn again; the others' distances stay as they are.
    void forget(Index point) {
        closest_[point] = 0;
        const Index begin = point / kChunk * kChunk, end = std::min(begin + kChunk, points_.n_points());
        double& sum = chunk_sums_[static_cast<std::size_t>(point / kChunk)] = 0;
        for (Index i = begin; i < end; ++i) sum += points_.weight(i) * static_cast<double>(closest_[i]);
        total_ = std::accumulate(chunk_sums_.begin(), chunk_sums_.end(), 0.0);
    }

    double total() const { return total_; }

    // A point drawn with probability proportional to weight times squared distance to the nearest centre.
    Index draw(Rng& rng) const { return points_.draw(closest_, chunk_sums_, total_, rng); }

  private:
    const DrawnPoints<T>& points_;
    std::vector<T> closest_;
    std::vector<double> chunk_sums_;
    double total_ = 0;
};

}  // namespace

template <class T>
std::vector<Index> random_points(const WeightedPointsOf<T>& points, Index k, Rng& rng) {
    check_weight_count(points.weights, points.n_points());
    std::vector<Point> order;
    for (Index i = 0; i < points.n_points(); ++i)
        if (points.weight(i) > 0) order.push_back(static_cast<Point>(i));
    DistinctRows<T> seen(points.x);
    std::vector<Index> chosen;
    for (std::size_t at = 0; at < order.size() && static_cast<Index>(chosen.size()) < k; ++at) {
        std::swap(order[at], order[at + rng.below(order.size() - at)]);
        if (seen.insert(order[at])) chosen.push_back(order[at]);
    }
    require_distinct(static_cast<Index>(chosen.size()), k);
    return chosen;
}

template <class T>
std::vector<Index> kmeans_plus_plus(const WeightedPointsOf<T>& points, Index k, Rng& rng, int n_threads,
                                    double seconds) {
    const Deadline deadline(seconds);
    check_weight_count(points.weights, points.n_points());
    const Index n_candidates = 2 + static_cast<Index>(std::log(static_cast<double>(k)));
    const DrawnPoints<T> drawn(points, n_threads);
    Potential<T> potential(drawn);
    typename Potential<T>::Trial trial;
    typename Potential<T>::Trial best;
    std::vector<Index> chosen{drawn.draw(rng)};
    potential.evaluate(chosen[0], trial);
    potential.accept(trial);
    while (static_cast<Index>(chosen.size()) < k) {
        if (!(potential.total() > 0)) require_distinct(static_cast<Index>(chosen.size()), k);
        if (deadline.is_over()) {
            chosen.push_back(potential.draw(rng));
            potential.forget(chosen.back());
            continue;
        }
        for (Index c = 0; c < n_candidates; ++c) {
            potential.evaluate(potential.draw(rng), trial);
            if (c == 0 || trial.total < best.total) std::swap(trial, best);
        }
        chosen.push_back(best.point);
        potential.accept(best);
    }
    return chosen;
}

#define INTARSIA_INSTANTIATE(T)                                                            \
    template std::vector<Index> random_points<T>(const WeightedPointsOf<T>&, Index, Rng&); \
    template std::vector<Index> kmeans_plus_plus<T>(const WeightedPointsOf<T>&, Index, Rng&, int, double);
INTARSIA_INSTANTIATE(double)
INTARSIA_INSTANTIATE(float)
#undef INTARSIA_INSTANTIATE

}  // namespace intarsia
