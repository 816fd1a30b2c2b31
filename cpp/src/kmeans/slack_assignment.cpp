#include "intarsia/kmeans/slack_assignment.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "intarsia/common/parallel.hpp"
#include "intarsia/distance/distance.hpp"
#include "intarsia/kmeans/rough_mean.hpp"

namespace intarsia {

namespace {

static_assert(kChunk <= kFewPoints && kChunk % kFewLanes == 0);

constexpr float kNone = -std::numeric_limits<float>::infinity();
constexpr float kEps = std::numeric_limits<float>::epsilon();
constexpr double kMostLost = 16;  // beyond, sums of losses would have too few digits left

Index round_up(Index n, Index multiple) { return (n + multiple - 1) / multiple * multiple; }

std::vector<Label> every_label(Index k) {
    std::vector<Label> every(static_cast<std::size_t>(k));
    std::iota(every.begin(), every.end(), 0);
    return every;
}

// A power of two, so that scaling loses no digit.
double scale_to_one(double largest) {
    return largest > 0 && std::isfinite(largest) ? std::exp2(-std::ceil(std::log2(largest))) : 1.0;
}

float rounded_up(double value) { return static_cast<float>(value) * (1 + 2 * kEps); }
float rounded_down(double value) { return static_cast<float>(value) * (1 - 2 * kEps); }

}  // namespace

// What one chunk of points works with.
template <class T>
struct SlackAssignment<T>::Scratch {
    std::vector<Point> suspects = std::vector<Point>(kChunk);  // counted from the chunk's first point
    Index n_suspects = 0;
    std::vector<float> packed, norms = std::vector<float>(kChunk);
    std::vector<Label> labels = std::vector<Label>(kChunk);
    std::vector<float> slack = std::vector<float>(kChunk);
};

template <class T>
SlackAssignment<T>::SlackAssignment(MatrixView<const T> x, Index n_clusters, int n_threads, Index most_kept)
    : x_(x),
      n_clusters_(n_clusters),
      n_threads_(n_threads),
      origin_(rough_mean(x)),
      norms_(static_cast<std::size_t>(round_up(x.n_rows(), kChunk))),
      labels_(static_cast<std::size_t>(x.n_rows()), kNoLabel),
      until_(labels_.size(), kNone),
      lost_(static_cast<std::size_t>(n_clusters), 0.0),
      lost_up_(std::max<std::size_t>(lost_.size(), kFewTable), 0.0F) {
    few_.n_dims = x.n_cols();
    few_.n_blocks = (n_clusters + kFewBlock - 1) / kFewBlock;
    few_.error = kEps * static_cast<float>(x.n_cols() + 8) / 2;
    blocks_.resize(static_cast<std::size_t>(few_.n_blocks * kFewBlock * x.n_cols()));
    half_norms_.assign(static_cast<std::size_t>(few_.n_blocks * kFewBlock),
                       std::numeric_limits<float>::infinity());
    lay_out_points(most_kept);
}

template <class T>
void SlackAssignment<T>::lay_out_points(Index most_kept) {
    const Index n = x_.n_rows(), d = x_.n_cols();
    std::vector<double> squares(norms_.size(), 0.0);
    for_chunks(n, n_threads_, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i)
            squares[i] = static_cast<double>(squared_distance(x_.row(i), origin_.data(), d));
    });
    scale_ = scale_to_one(std::sqrt(*std::max_element(squares.begin(), squares.end())));
    const bool keeps = std::ssize(norms_) * d <= most_kept;
    if (keeps) points_.assign(norms_.size() * static_cast<std::size_t>(d), 0.0F);
    for_chunks(n, n_threads_, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            if (keeps) lay_out_point(i, points_.data() + begin * d + (i - begin));
            norms_[i] = static_cast<float>(std::sqrt(squares[i]) * scale_);
        }
    });
}

template <class T>
void SlackAssignment<T>::lay_out_point(Index i, float* to) const {
    for (Index j = 0; j < x_.n_cols(); ++j)
        to[j * kChunk] = static_cast<float>(static_cast<double>(x_(i, j) - origin_[j]) * scale_);
}

template <class T>
void SlackAssignment<T>::lay_out_centres(MatrixView<const T> centres) {
    few_.blocks = blocks_.data();
    few_.half_norms = half_norms_.data();
    double farthest = 0;
    for (Index c = 0; c < n_clusters_; ++c) {
        double square = 0;
        float* to = blocks_.data() + c / kFewBlock * kFewBlock * few_.n_dims + c % kFewBlock;
        for (Index j = 0; j < few_.n_dims; ++j) {
            const double value = static_cast<double>(centres(c, j) - origin_[j]) * scale_;
            to[j * kFewBlock] = static_cast<float>(value);
            square += value * value;
        }
        half_norms_[c] = static_cast<float>(square / 2);
        farthest = std::max(farthest, std::sqrt(square));
    }
    if (farthest <= few_.reach) return;
    // Slack was granted for centres nearer to the origin: rounding may now take more.
    few_.reach = rounded_up(2 * farthest);
    forget();
}

// The own centre may have moved away by its shift, and any other come nearer by its own.
template <class T>
void SlackAssignment<T>::add_losses(MatrixView<const T> centres) {
    const Index d = few_.n_dims;
    const double margin = scale_ * (1 + 4 * static_cast<double>(d + 8) * std::numeric_limits<T>::epsilon());
    std::vector<double> shift(lost_.size());
    for (Label c = 0; c < n_clusters_; ++c) {
        const auto square =
            static_cast<double>(squared_distance(centres.row(c), previous_.data() + c * d, d));
        shift[c] = std::sqrt(square) * margin;
    }
    for (Label c = 0; c < n_clusters_; ++c) {
        double largest = 0;
        for (Label other = 0; other < n_clusters_; ++other)
            if (other != c) largest = std::max(largest, shift[other]);
        lost_[c] += shift[c] + largest;
        lost_up_[c] = rounded_up(lost_[c]);
    }
    if (!(*std::max_element(lost_.begin(), lost_.end()) < kMostLost)) forget();
}

template <class T>
void SlackAssignment<T>::forget() {
    std::fill(until_.begin(), until_.end(), kNone);
    std::fill(lost_.begin(), lost_.end(), 0.0);
    std::fill(lost_up_.begin(), lost_up_.end(), 0.0F);
}

template <class T>
void SlackAssignment<T>::force(Index i, Label c) {
    labels_[i] = c;
    until_[i] = kNone;
}

template <class T>
Index SlackAssignment<T>::update(MatrixView<const T> centres, std::vector<char>& touched) {
    if (!previous_.empty()) add_losses(centres);
    lay_out_centres(centres);
    const CentreBlock<T> exact(centres, every_label(n_clusters_), origin_);
    std::vector<LabelChanges> by_chunk(static_cast<std::size_t>(n_chunks(x_.n_rows())));
    for_chunks(x_.n_rows(), n_threads_,
               [&](Index begin, Index end) { update_chunk(begin, end, exact, by_chunk[begin / kChunk]); });
    previous_.assign(centres.data(), centres.data() + n_clusters_ * centres.n_cols());
    return count_changes(by_chunk, touched);
}

template <class T>
void SlackAssignment<T>::update_chunk(Index begin, Index end, const CentreBlock<T>& exact,
                                      LabelChanges& changes) {
    thread_local Scratch of_thread;
    Scratch& scratch = of_thread;  // found once: looking a thread's own things up takes long
    find_suspects(begin, end, scratch);
    // Packing many would cost more than looking at everybody, which renews all slacks besides.
    const bool all = 2 * scratch.n_suspects > end - begin;
    if (all) {
        screen_all(begin, end, scratch);
    } else {
        screen_suspects(begin, scratch);
    }
    const Index n = all ? end - begin : scratch.n_suspects;
    for (Index q = 0; q < n; ++q) {
        const Index i = begin + (all ? q : static_cast<Index>(scratch.suspects[q]));
        relabel(i, scratch.labels[q], scratch.slack[q], exact, changes);
    }
}

template <class T>
void SlackAssignment<T>::find_suspects(Index begin, Index end, Scratch& scratch) const {
    const bool is_new = labels_[begin] == kNoLabel;  // and so is everybody
    scratch.n_suspects =
        is_new ? end - begin
               : kernels<T>().out_of_slack(until_.data() + begin, labels_.data() + begin, end - begin,
                                           lost_up_.data(), n_clusters_, scratch.suspects.data());
}

template <class T>
void SlackAssignment<T>::screen_all(Index begin, Index end, Scratch& scratch) const {
    const float* points = points_.data() + begin * few_.n_dims;
    if (points_.empty()) {
        scratch.packed.resize(static_cast<std::size_t>(kChunk * few_.n_dims));
        for (Index i = begin; i < end; ++i) lay_out_point(i, scratch.packed.data() + (i - begin));
        points = scratch.packed.data();
    }
    kernels<T>().few(points, kChunk, round_up(end - begin, kFewLanes), norms_.data() + begin, few_,
                     scratch.labels.data(), scratch.slack.data());
}

template <class T>
void SlackAssignment<T>::screen_suspects(Index begin, Scratch& scratch) const {
    const Index d = few_.n_dims, n = scratch.n_suspects;
    scratch.packed.resize(static_cast<std::size_t>(kChunk * d));
    if (points_.empty())
        for (Index q = 0; q < n; ++q) lay_out_point(begin + scratch.suspects[q], scratch.packed.data() + q);
    for (Index j = 0; j < d && !points_.empty(); ++j) {
        const float* from = points_.data() + begin * d + j * kChunk;
        float* to = scratch.packed.data() + j * kChunk;
        for (Index q = 0; q < n; ++q) to[q] = from[scratch.suspects[q]];
    }
    for (Index q = 0; q < n; ++q) scratch.norms[q] = norms_[begin + scratch.suspects[q]];
    kernels<T>().few(scratch.packed.data(), kChunk, round_up(n, kFewLanes), scratch.norms.data(), few_,
                     scratch.labels.data(), scratch.slack.data());
}

template <class T>
void SlackAssignment<T>::relabel(Index i, Label c, float slack, const CentreBlock<T>& exact,
                                 LabelChanges& changes) {
    if (slack > 0) {
        until_[i] = rounded_down(static_cast<double>(slack) + lost_[c]);
    } else {
        c = static_cast<Label>(exact.exact(x_.row(i)).position);
        until_[i] = kNone;
    }
    changes.relabel(labels_[i], c);
}

template class SlackAssignment<double>;
template class SlackAssignment<float>;

}  // namespace intarsia
