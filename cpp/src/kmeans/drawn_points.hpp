#pragma once

#include <limits>
#include <numeric>
#include <vector>

#include "intarsia/common/parallel.hpp"
#include "intarsia/common/rng.hpp"
#include "intarsia/common/weighted_points.hpp"
#include "intarsia/distance/kernels.hpp"

namespace intarsia {

/// Points stored by dimension and padded with weightless ones, for the potential kernel; chunks are kChunk
/// points. Points are drawn by their weight times a mass each.
template <class T>
class DrawnPoints {
  public:
    DrawnPoints(const WeightedPointsOf<T>& points, int n_threads)
        : x_(points.x),
          n_threads_(n_threads),
          stride_((points.n_points() + kPad - 1) / kPad * kPad),
          by_dimension_(stride_ * points.n_dims(), T(0)),
          weights_(stride_, 0.0) {
        for (Index i = 0; i < x_.n_rows(); ++i) {
            weights_[i] = points.weight(i);
            for (Index j = 0; j < x_.n_cols(); ++j) by_dimension_[j * stride_ + i] = x_(i, j);
        }
    }

    Index n_points() const { return x_.n_rows(); }
    Index n_padded() const { return stride_; }
    const T* row(Index i) const { return x_.row(i); }
    double weight(Index i) const { return weights_[i]; }

    /// The smaller of `closest` and the squared distance to a point, for points [begin, end); returns their
    /// weighted sum.
    double nearer(Index point, Index begin, Index end, const T* closest, T* out) const {
        return kernels<T>().potential(x_.row(point), x_.n_cols(), by_dimension_.data() + begin, stride_,
                                      end - begin, weights_.data() + begin, closest + begin, out + begin);
    }

    /// A point drawn with probability proportional to its weight.
    Index draw(Rng& rng) const {
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

    /// A point drawn with probability proportional to weight times mass; the sums are those of the chunks.
    Index draw(const std::vector<T>& masses, const std::vector<double>& chunk_sums, double total,
               Rng& rng) const {
        double left = rng.uniform() * total;
        std::size_t c = 0;
        while (c + 1 < chunk_sums.size() && left >= chunk_sums[c]) left -= chunk_sums[c++];
        Index last = -1;
        for (Index i = static_cast<Index>(c) * kChunk; i < x_.n_rows(); ++i) {
            const double mass = weights_[i] * static_cast<double>(masses[i]);
            if (mass <= 0) continue;
            last = i;
            left -= mass;
            if (left < 0) break;
        }
        return last >= 0 ? last : last_positive(masses);
    }

    int n_threads() const { return n_threads_; }

  private:
    // Rounding can let a draw run past the end of its chunk's mass.
    Index last_positive(const std::vector<T>& masses) const {
        Index i = x_.n_rows() - 1;
        while (i > 0 && weights_[i] * static_cast<double>(masses[i]) <= 0) --i;
        return i;
    }

    MatrixView<const T> x_;
    int n_threads_;
    Index stride_;
    std::vector<T> by_dimension_;
    std::vector<double> weights_;
};

}  // namespace intarsia
