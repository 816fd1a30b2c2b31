#include "intarsia/kmeans/block_means.hpp"

#include <algorithm>

#include "intarsia/common/parallel.hpp"
#include "intarsia/distance/kernels.hpp"

namespace intarsia {

namespace {

constexpr Index kMostSums = 2'000'000;

// Small blocks, most of whose sums can stay where one point in a hundred changes its label; larger ones where
// there are more clusters, or so many points that the sums would take much memory.
Index points_in_block(Index n_points, Index n_clusters, Index width) {
    Index block = n_clusters <= 32 ? 128 : n_clusters <= 64 ? 256 : kChunk;
    while (block < kChunk && n_points / block * n_clusters * width > kMostSums) block *= 2;
    return block;
}

}  // namespace

template <class T>
struct BlockMeans<T>::Scratch {
    std::vector<char> stale;
    std::vector<Index> next;                                  // where the next member of each cluster goes
    std::vector<Point> found = std::vector<Point>(kChunk);    // members of stale clusters, in their order
    std::vector<Point> members = std::vector<Point>(kChunk);  // the same, cluster by cluster
};

template <class T>
BlockMeans<T>::BlockMeans(const WeightedPointsOf<T>& points, Index n_clusters, int n_threads)
    : points_(points),
      n_clusters_(n_clusters),
      n_threads_(n_threads),
      block_(points_in_block(points.n_points(), n_clusters, points.n_dims() + 1)),
      width_(points.n_dims() + 1),
      seen_(static_cast<std::size_t>(points.n_points()), kNoLabel),
      sums_(static_cast<std::size_t>(n_chunks(points.n_points(), block_) * n_clusters * width_)),
      counts_(static_cast<std::size_t>(n_chunks(points.n_points(), block_) * n_clusters)) {}

template <class T>
void BlockMeans<T>::group(std::span<const Label> labels) {
    for_chunks(points_.n_points(), n_threads_, [&](Index begin, Index end) {
        thread_local Scratch of_thread;
        Scratch& scratch = of_thread;
        for (Index first = begin; first < end; first += block_) {
            const Index last = std::min(end, first + block_);
            if (!std::equal(seen_.begin() + first, seen_.begin() + last, labels.begin() + first))
                refresh_block(first, last, labels, scratch);
        }
    });
}

template <class T>
void BlockMeans<T>::refresh_block(Index begin, Index end, std::span<const Label> labels, Scratch& scratch) {
    auto& [stale, next, found, members] = scratch;
    mark_stale(begin, end, labels, scratch);
    Index n = 0;
    for (Index i = begin; i < end; ++i) {
        found[n] = static_cast<Point>(i);
        n += stale[seen_[i]];
    }
    next.assign(static_cast<std::size_t>(n_clusters_) + 1, 0);
    for (Index q = 0; q < n; ++q) {
        __builtin_prefetch(points_.row(found[q]));  // rows here and there: nobody else sees them coming
        ++next[seen_[found[q]] + 1];
    }
    for (Index c = 0; c < n_clusters_; ++c) next[c + 1] += next[c];
    for (Index q = 0; q < n; ++q) members[next[seen_[found[q]]]++] = found[q];
    // Now next[c] is where cluster c ends and the one after it begins.
    for (Label c = 0; c < n_clusters_; ++c) {
        const Index first = c == 0 ? 0 : next[c - 1];
        if (stale[c])
            add_up(begin / block_, c, {members.data() + first, static_cast<std::size_t>(next[c] - first)});
    }
}

template <class T>
void BlockMeans<T>::mark_stale(Index begin, Index end, std::span<const Label> labels, Scratch& scratch) {
    scratch.stale.assign(static_cast<std::size_t>(n_clusters_), 0);
    for (Index i = begin; i < end; ++i) {
        if (seen_[i] == labels[i]) continue;
        if (seen_[i] != kNoLabel) scratch.stale[seen_[i]] = 1;
        scratch.stale[labels[i]] = 1;
        seen_[i] = labels[i];
    }
}

template <class T>
void BlockMeans<T>::add_up(Index block, Label c, std::span<const Point> members) {
    const Index slot = block * n_clusters_ + c;
    double* sum = sums_.data() + slot * width_;
    std::fill_n(sum, width_, 0.0);
    kernels<T>().add_rows(points_.x.data(), points_.n_dims(), members.data(), std::ssize(members),
                          points_.weights.empty() ? nullptr : points_.weights.data(), sum);
    counts_[slot] = static_cast<Point>(members.size());
}

template <class T>
std::vector<Index> BlockMeans<T>::sizes() const {
    std::vector<Index> total(static_cast<std::size_t>(n_clusters_), 0);
    for (std::size_t at = 0; at < counts_.size(); at += total.size())
        for (std::size_t c = 0; c < total.size(); ++c) total[c] += counts_[at + c];
    return total;
}

template <class T>
void BlockMeans<T>::move(std::span<const char>, MatrixView<double> centres) const {
    std::vector<double> total(static_cast<std::size_t>(n_clusters_ * width_), 0.0);
    for (std::size_t at = 0; at < sums_.size(); at += total.size())
        for (std::size_t s = 0; s < total.size(); ++s) total[s] += sums_[at + s];
    for (Index c = 0; c < n_clusters_; ++c) {
        const double* sum = total.data() + c * width_;
        if (sum[width_ - 1] > 0)
            for (Index j = 0; j + 1 < width_; ++j) centres(c, j) = sum[j] / sum[width_ - 1];
    }
}

template class BlockMeans<double>;
template class BlockMeans<float>;

}  // namespace intarsia
