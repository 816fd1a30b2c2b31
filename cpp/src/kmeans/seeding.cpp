#include "intarsia/kmeans/seeding.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "intarsia/common/distinct.hpp"
#include "intarsia/common/error.hpp"
#include "intarsia/common/parallel.hpp"
#include "intarsia/distance/kernels.hpp"

namespace intarsia {

namespace {

void require_distinct(Index found, Index k) {
    if (found < k)
        throw InvalidInput("number of distinct points=" + std::to_string(found) +
                           " should be >= n_clusters=" + std::to_string(k) + ".");
}

// Points stored by dimension and padded with weightless ones, for the potential kernel; chunks are kChunk
// points.
template <class T>
class Potential {
  public:
    Potential(const WeightedPointsOf<T>& points, int n_threads)
        : x_(points.x),
          n_threads_(n_threads),
          stride_((points.n_points() + kPad - 1) / kPad * kPad),
          by_dimension_(stride_ * points.n_dims(), T(0)),
          weights_(stride_, 0.0),
          closest_(stride_, std::numeric_limits<T>::max()) {
        for (Index i = 0; i < x_.n_rows(); ++i) {
            weights_[i] = points.weight(i);
            for (Index j = 0; j < x_.n_cols(); ++j) by_dimension_[j * stride_ + i] = x_(i, j);
        }
    }

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
        trial.chunk_sums.resize(static_cast<std::size_t>(n_chunks(stride_)));
        for_chunks(stride_, n_threads_, [&](Index begin, Index end) {
            trial.chunk_sums[begin / kChunk] = kernels<T>().potential(
                x_.row(point), x_.n_cols(), by_dimension_.data() + begin, stride_, end - begin,
                weights_.data() + begin, closest_.data() + begin, trial.closest.data() + begin);
        });
        trial.total = std::accumulate(trial.chunk_sums.begin(), trial.chunk_sums.end(), 0.0);
    }

    void accept(Trial& trial) {
        closest_.swap(trial.closest);
        chunk_sums_.swap(trial.chunk_sums);
        total_ = trial.total;
    }

    double total() const { return total_; }

    // A point drawn with probability proportional to weight times squared distance to the nearest centre.
    Index draw(Rng& rng) const {
        double left = rng.uniform() * total_;
        std::size_t c = 0;
        while (c + 1 < chunk_sums_.size() && left >= chunk_sums_[c]) left -= chunk_sums_[c++];
        Index last = -1;
        for (Index i = static_cast<Index>(c) * kChunk; i < x_.n_rows(); ++i) {
            const double mass = weights_[i] * static_cast<double>(closest_[i]);
            if (mass <= 0) continue;
            last = i;
            left -= mass;
            if (left < 0) break;
        }
        return last >= 0 ? last : last_positive();
    }

    // A point drawn with probability proportional to its weight.
    Index draw_first(Rng& rng) const {
        double left = rng.uniform() * std::accumulate(weights_.begin(), weights_.end(), 0.0);
        Index last = 0;
        for (Index i = 0; i < x_.n_rows(); ++i) {
            if (weights_[i] <= 0) continue;
            last = i;
            left -= weights_[i];
            if (left < 0) break;
        }
        return last;
    }

  private:
    // Rounding can let a draw run past the end of its chunk's mass.
    Index last_positive() const {
        Index i = x_.n_rows() - 1;
        while (i > 0 && weights_[i] * static_cast<double>(closest_[i]) <= 0) --i;
        return i;
    }

    MatrixView<const T> x_;
    int n_threads_;
    Index stride_;
    std::vector<T> by_dimension_;
    std::vector<double> weights_;
    std::vector<T> closest_;
    std::vector<double> chunk_sums_;
    double total_ = 0;
};

}  // namespace

template <class T>
std::vector<Index> random_points(const WeightedPointsOf<T>& points, Index k, Rng& rng) {
    check_weight_count(points.weights, points.n_points());
    std::vector<Index> order;
    for (Index i = 0; i < points.n_points(); ++i)
        if (points.weight(i) > 0) order.push_back(i);
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
std::vector<Index> kmeans_plus_plus(const WeightedPointsOf<T>& points, Index k, Rng& rng, int n_threads) {
    check_weight_count(points.weights, points.n_points());
    const Index n_candidates = 2 + static_cast<Index>(std::log(static_cast<double>(k)));
    Potential<T> potential(points, n_threads);
    typename Potential<T>::Trial trial;
    typename Potential<T>::Trial best;
    std::vector<Index> chosen{potential.draw_first(rng)};
    potential.evaluate(chosen[0], trial);
    potential.accept(trial);
    while (static_cast<Index>(chosen.size()) < k) {
        if (!(potential.total() > 0)) require_distinct(static_cast<Index>(chosen.size()), k);
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
    template std::vector<Index> kmeans_plus_plus<T>(const WeightedPointsOf<T>&, Index, Rng&, int);
INTARSIA_INSTANTIATE(double)
INTARSIA_INSTANTIATE(float)
#undef INTARSIA_INSTANTIATE

}  // namespace intarsia
