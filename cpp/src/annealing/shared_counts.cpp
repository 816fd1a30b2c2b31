#include "intarsia/annealing/shared_counts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "intarsia/common/error.hpp"

namespace intarsia {

namespace {

// The widest vector holds eight counts: no kernel needs a loop for the rest.
constexpr Index kBlock = 8;
// With more points the number of pairs would not fit 64 bits.
constexpr Count kMostPoints = Count{1} << 31;

Index padded(Index k) { return (k + kBlock - 1) / kBlock * kBlock; }

Count pairs_of(Count n) { return n * (n - 1) / 2; }

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

void check_sizes(const LabelledEnsemble& e) {
    if (e.n_points() < 1 || e.n_members() < 1) throw InvalidInput("an ensemble needs points and members.");
    if (std::ssize(e.n_classes) != e.n_members())
        throw InvalidInput("n_classes should have one entry a member.");
    if (!e.member_weights.empty() && std::ssize(e.member_weights) != e.n_members())
        throw InvalidInput("member_weights should have one entry a member.");
    if (!e.point_weights.empty() && std::ssize(e.point_weights) != e.n_points())
        throw InvalidInput("point_weights should have one entry a point.");
}

void check_weights(const LabelledEnsemble& e) {
    for (double w : e.member_weights)
        if (!(w > 0) || !std::isfinite(w))
            throw InvalidInput("member_weights should be positive and finite.");
    Count total = 0;
    for (Index i = 0; i < e.n_points(); ++i) {
        if (e.weight(i) < 1) throw InvalidInput("point_weights should be whole numbers >= 1.");
        if (e.weight(i) > kMostPoints || (total += e.weight(i)) > kMostPoints)
            throw InvalidInput("point_weights should sum to at most 2^31.");
    }
}

void check_labels(const LabelledEnsemble& e) {
    for (Index i = 0; i < e.n_points(); ++i)
        for (Index q = 0; q < e.n_members(); ++q)
            if (e.labels(i, q) < kNoLabel || e.labels(i, q) >= e.n_classes[at(q)])
                throw InvalidInput("label " + std::to_string(e.labels(i, q)) + " of point " +
                                   std::to_string(i) + " should be -1 or below the member's n_classes.");
}

}  // namespace

void check_ensemble(const LabelledEnsemble& ensemble) {
    check_sizes(ensemble);
    check_weights(ensemble);
    check_labels(ensemble);
}

SharedCounts::SharedCounts(const LabelledEnsemble& ensemble, Index k)
    : ensemble_(ensemble), k_(k), stride_(padded(k)) {
    check_ensemble(ensemble);
    if (k < 1 || k > std::numeric_limits<Label>::max()) throw InvalidInput("k should be >= 1.");
    number_rows();
    count_members();
    counts_.resize(at(first_rows_.back() * stride_));
    sizes_.resize(at(all_points() + stride_));
}

void SharedCounts::number_rows() {
    first_rows_.assign(1, 0);
    for (Index classes : ensemble_.n_classes) first_rows_.push_back(first_rows_.back() + classes);
    if (first_rows_.back() > std::numeric_limits<std::int32_t>::max())
        throw InvalidInput("the members should have fewer than 2^31 clusters in all.");
    rows_.resize(at(n_points() * n_members()));
    for (Index i = 0; i < n_points(); ++i)
        for (Index q = 0; q < n_members(); ++q) {
            const Label label = ensemble_.labels(i, q);
            complete_ = complete_ && label != kNoLabel;
            rows_[at(i * n_members() + q)] =
                label == kNoLabel ? -1 : static_cast<std::int32_t>(first_row(q) + label);
        }
}

// What no move changes: the members' own pairs.
void SharedCounts::count_members() {
    std::vector<Count> class_sizes(at(first_rows_.back()));
    n_labelled_.assign(at(n_members()), 0);
    pairs_.assign(at(n_members()), {});
    for (Index i = 0; i < n_points(); ++i)
        for (Index q = 0; q < n_members(); ++q)
            if (const std::int32_t row = rows_of(i)[q]; row >= 0) {
                class_sizes[at(row)] += weight(i);
                n_labelled_[at(q)] += weight(i);
            }
    for (Index q = 0; q < n_members(); ++q) {
        pairs_[at(q)].all = pairs_of(n_labelled(q));
        for (Index row = first_row(q); row < first_row(q + 1); ++row)
            pairs_[at(q)].member += pairs_of(class_sizes[at(row)]);
    }
}

void SharedCounts::load(std::span<const Label> labels) {
    if (std::ssize(labels) != n_points()) throw InvalidInput("labels should have one entry a point.");
    for (Label label : labels)
        if (label < 0 || label >= k_) throw InvalidInput("labels should be in [0, k).");
    labels_.assign(labels.begin(), labels.end());
    std::ranges::fill(counts_, 0);
    std::ranges::fill(sizes_, 0);
    for (Index i = 0; i < n_points(); ++i) count_point(i);
    count_pairs();
}

void SharedCounts::count_point(Index point) {
    const Label label = labels_[at(point)];
    const std::int32_t* rows = rows_of(point);
    size(label) += weight(point);
    for (Index q = 0; q < n_members(); ++q) {
        if (rows[q] < 0) continue;
        counts_[at(rows[q] * stride_ + label)] += weight(point);
        if (!complete_) sizes_[at(q * stride_ + label)] += weight(point);
    }
}

void SharedCounts::count_pairs() {
    for (Index q = 0; q < n_members(); ++q) {
        pairs_[at(q)].both = pairs_[at(q)].partition = 0;
        for (Index c = 0; c < k_; ++c) pairs_[at(q)].partition += pairs_of(sizes(q)[c]);
        for (Index id = first_row(q); id < first_row(q + 1); ++id)
            for (Index c = 0; c < k_; ++c) pairs_[at(q)].both += pairs_of(row(id)[c]);
    }
}

void SharedCounts::move(Index point, Label to) {
    const Label from = labels_[at(point)];
    if (from == to) return;
    move_labelled(point, from, to);
    size(from) -= weight(point);
    size(to) += weight(point);
    labels_[at(point)] = to;
}

// Pairs change by w (n_to - n_from + w), with n the counts before the move.
void SharedCounts::move_labelled(Index point, Label from, Label to) {
    const Count w = weight(point);
    const std::int32_t* rows = rows_of(point);
    for (Index q = 0; q < n_members(); ++q) {
        if (rows[q] < 0) continue;
        Count* shared = counts_.data() + rows[q] * stride_;
        Count* own = sizes_.data() + q * member_stride();
        pairs_[at(q)].both += w * (shared[to] - shared[from] + w);
        pairs_[at(q)].partition += w * (own[to] - own[from] + w);
        shared[from] -= w;
        shared[to] += w;
        if (complete_) continue;  // the one row of sizes is changed once, by the caller
        own[from] -= w;
        own[to] += w;
    }
}

}  // namespace intarsia
