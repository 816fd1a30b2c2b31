#include "intarsia/kmeans/assignment.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "intarsia/common/parallel.hpp"
#include "intarsia/distance/distance.hpp"
#include "intarsia/kmeans/rough_mean.hpp"

namespace intarsia {

namespace {

// With fewer points than this a cluster, looking at all pairs of centres costs more than it saves.
constexpr Index kPointsPerCluster = 16;

template <class T>
constexpr T kEps = std::numeric_limits<T>::epsilon();

}  // namespace

// What one chunk of points works with.
template <class T>
struct Assignment<T>::Scratch {
    std::vector<Index> full;     // points that need every centre
    std::vector<Index> partial;  // points for which only the moved centres can have come nearer
    std::vector<T> own;          // squared distance of each `partial` point to its own centre
    std::vector<Nearest<T>> found;
    LabelChanges changes;
};

template <class T>
Assignment<T>::Assignment(MatrixView<const T> x, Index n_clusters, int n_threads)
    : x_(x),
      n_clusters_(n_clusters),
      n_threads_(n_threads),
      margin_(1 - 4 * static_cast<T>(x.n_cols() + 8) * kEps<T>),
      origin_(rough_mean(x)),
      labels_(static_cast<std::size_t>(x.n_rows()), kNoLabel),
      upper_(labels_.size(), std::numeric_limits<T>::infinity()),
      lower_(labels_.size(), T(0)),
      shift_(static_cast<std::size_t>(n_clusters), T(0)) {}

template <class T>
void Assignment<T>::force(Index i, Label c) {
    labels_[i] = c;
    upper_[i] = std::numeric_limits<T>::infinity();
    lower_[i] = 0;
}

template <class T>
void Assignment<T>::measure_shifts(MatrixView<const T> centres) {
    const Index d = centres.n_cols();
    largest_shift_ = 0;
    for (Label c = 0; c < n_clusters_; ++c) {
        shift_[c] = std::sqrt(squared_distance(centres.row(c), previous_.data() + c * d, d)) / margin_;
        largest_shift_ = std::max(largest_shift_, shift_[c]);
    }
}

// A centre that is far from a cluster cannot come near its points: only shifts of the neighbours count.
template <class T>
void Assignment<T>::survey(MatrixView<const T> centres, const CentreBlock<T>& all) {
    const T infinity = std::numeric_limits<T>::infinity();
    around_.assign(static_cast<std::size_t>(n_clusters_), {largest_shift_, infinity, T(0)});
    if (x_.n_rows() < kPointsPerCluster * n_clusters_) return;
    std::vector<T> reach(static_cast<std::size_t>(n_clusters_), T(0));
    for (std::size_t i = 0; i < labels_.size(); ++i)
        reach[labels_[i]] = std::max(reach[labels_[i]], upper_[i] + shift_[labels_[i]]);
    for_chunks(
        n_clusters_, n_threads_,
        [&](Index begin, Index end) {
            for (Index a = begin; a < end; ++a) survey_cluster(static_cast<Label>(a), centres, all, reach[a]);
        },
        16);
}

template <class T>
void Assignment<T>::survey_cluster(Label a, MatrixView<const T> centres, const CentreBlock<T>& all, T reach) {
    thread_local std::vector<T> between;
    all.distances(centres.row(a), between);
    const T horizon = 3 * reach;
    T drop = 0;
    T nearest = std::numeric_limits<T>::infinity();
    for (Label c = 0; c < n_clusters_; ++c) {
        if (c == a) continue;
        nearest = std::min(nearest, between[c]);
        // The horizon is drawn around the new centres, so a centre that came from outside is seen too.
        if (between[c] <= horizon * horizon) drop = std::max(drop, shift_[c]);
    }
    around_[a] = {drop, horizon, std::sqrt(nearest) / 2};
}

template <class T>
std::vector<Label> Assignment<T>::moved_centres() const {
    std::vector<Label> moved;
    for (Label c = 0; c < n_clusters_; ++c)
        if (shift_[c] > 0) moved.push_back(c);
    return moved;
}

template <class T>
Index Assignment<T>::update(MatrixView<const T> centres, std::vector<char>& touched) {
    if (!first_) measure_shifts(centres);
    std::vector<Label> every(static_cast<std::size_t>(n_clusters_));
    std::iota(every.begin(), every.end(), 0);
    std::vector<Label> moved = first_ ? every : moved_centres();
    // A scan of all centres also tightens the lower bound: worth it unless few moved.
    const bool few_moved = 4 * static_cast<Index>(moved.size()) < n_clusters_;
    const CentreBlock<T> all(centres, std::move(every), origin_);
    if (!first_) survey(centres, all);
    const CentreBlock<T> some(centres, few_moved ? std::move(moved) : std::vector<Label>{}, origin_);

    const Index n = x_.n_rows();
    std::vector<LabelChanges> by_chunk(static_cast<std::size_t>(n_chunks(n)));
    for_chunks(n, n_threads_, [&](Index begin, Index end) {
        thread_local Scratch scratch;
        sort_out(begin, end, centres, scratch);
        if (!few_moved) {
            scratch.full.insert(scratch.full.end(), scratch.partial.begin(), scratch.partial.end());
            scratch.partial.clear();
        }
        scan_all(all, scratch);
        scan_moved(some, scratch);
        by_chunk[begin / kChunk] = scratch.changes;
    });
    previous_.assign(centres.data(), centres.data() + n_clusters_ * centres.n_cols());
    first_ = false;
    return count_changes(by_chunk, touched);
}

template <class T>
void Assignment<T>::sort_out(Index begin, Index end, MatrixView<const T> centres, Scratch& scratch) {
    scratch.full.clear();
    scratch.partial.clear();
    scratch.own.clear();
    scratch.changes = {};
    const T up = 1 + 4 * kEps<T>;
    const T down = 1 - 4 * kEps<T>;
    for (Index i = begin; i < end; ++i) {
        const Label a = labels_[i];
        if (a == kNoLabel) {
            scratch.full.push_back(i);
            continue;
        }
        upper_[i] = (upper_[i] + shift_[a]) * up;
        const Surroundings& near = around_[a];
        const T low = std::max(std::min(lower_[i] - near.drop, near.horizon - upper_[i]) * down, T(0));
        if (upper_[i] < std::max(low, near.half_nearest) * margin_) {
            lower_[i] = low;
            continue;
        }
        const T own = squared_distance(x_.row(i), centres.row(a), x_.n_cols());
        upper_[i] = std::sqrt(own);
        if (upper_[i] < std::max(low, near.half_nearest) * margin_) {
            lower_[i] = low;
        } else if (upper_[i] < lower_[i] * margin_) {
            scratch.partial.push_back(i);
            scratch.own.push_back(own);
        } else {
            scratch.full.push_back(i);
        }
    }
}

template <class T>
void Assignment<T>::scan_all(const CentreBlock<T>& all, Scratch& scratch) {
    scratch.found.resize(scratch.full.size());
    all.nearest(x_, scratch.full, scratch.found.data());
    for (std::size_t q = 0; q < scratch.full.size(); ++q) {
        const Index i = scratch.full[q];
        const Nearest<T>& r = scratch.found[q];
        scratch.changes.relabel(labels_[i], static_cast<Label>(r.position));
        upper_[i] = std::sqrt(r.best);
        lower_[i] = std::sqrt(r.second);
    }
}

// Centres that stood still are at least `lower` away, and the own centre is nearer than that.
template <class T>
void Assignment<T>::scan_moved(const CentreBlock<T>& moved, Scratch& scratch) {
    scratch.found.resize(scratch.partial.size());
    moved.nearest(x_, scratch.partial, scratch.found.data());
    for (std::size_t q = 0; q < scratch.partial.size(); ++q) {
        const Index i = scratch.partial[q];
        const Nearest<T>& r = scratch.found[q];
        const auto c = static_cast<Label>(r.position);
        const T own = scratch.own[q];
        if (c == labels_[i]) {
            lower_[i] = std::min(lower_[i], std::sqrt(r.second));
        } else if (r.best < own || (r.best == own && c < labels_[i])) {
            scratch.changes.relabel(labels_[i], c);
            upper_[i] = std::sqrt(r.best);
            lower_[i] = std::min({lower_[i], std::sqrt(own), std::sqrt(r.second)});
        } else {
            lower_[i] = std::min(lower_[i], std::sqrt(r.best));
        }
    }
}

template class Assignment<double>;
template class Assignment<float>;

}  // namespace intarsia
