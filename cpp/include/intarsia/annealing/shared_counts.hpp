#pragma once

#include <span>
#include <vector>

#include "intarsia/common/types.hpp"

namespace intarsia {

/// Whole numbers of points or of pairs of points: exact.
using Count = std::int64_t;

/// Hard clusterings of the same points, as counting code sees them.
struct LabelledEnsemble {
    MatrixView<const Label> labels;          ///< points x members, kNoLabel where missing
    std::span<const Index> n_classes;        ///< clusters of each member
    std::span<const double> member_weights;  ///< weights of the mean over members; empty: all equal
    std::span<const Count> point_weights;    ///< how many points a row stands for; empty: one each

    Index n_points() const { return labels.n_rows(); }
    Index n_members() const { return labels.n_cols(); }
    Count weight(Index point) const {
        return point_weights.empty() ? 1 : point_weights[static_cast<std::size_t>(point)];
    }
};

/// Throws InvalidInput unless the sizes fit, labels are in range, weights are positive, pairs fit 64 bits.
void check_ensemble(const LabelledEnsemble& ensemble);

/// Pairs of points that two partitions join: a member's pairs count only points that it labels.
struct JoinedPairs {
    Count both = 0;       ///< h0: joined by the partition and by the member
    Count partition = 0;  ///< h1: joined by the partition
    Count member = 0;     ///< h2: joined by the member
    Count all = 0;        ///< pairs there are
};

/// How many points each cluster of a partition shares with each cluster of each member, under single moves.
///
/// One row for each cluster of a member, one column for each label of the partition: all k candidate labels
/// of one point are r contiguous rows. A move costs O(r).
class SharedCounts {
  public:
    SharedCounts(const LabelledEnsemble& ensemble, Index k);

    /// Counts everything from new labels, each in [0, k).
    void load(std::span<const Label> labels);
    void move(Index point, Label to);

    Index k() const { return k_; }
    Index n_points() const { return ensemble_.n_points(); }
    Index n_members() const { return ensemble_.n_members(); }
    /// Columns of a row; those from k on are padding.
    Index stride() const { return stride_; }
    std::span<const Label> labels() const { return labels_; }
    Count weight(Index point) const { return ensemble_.weight(point); }

    const Count* row(Index row_id) const { return counts_.data() + row_id * stride_; }
    /// First row of a member; one past the last member's rows at n_members().
    Index first_row(Index member) const { return first_rows_[static_cast<std::size_t>(member)]; }
    /// The rows of one point, one for each member, -1 where its label is missing.
    const std::int32_t* rows_of(Index point) const { return rows_.data() + point * n_members(); }
    /// Sizes of the clusters of the partition, counting the points that a member labels.
    const Count* sizes(Index member) const { return sizes_.data() + member_stride() * member; }
    /// From the sizes of one member to those of the next: 0 when no label is missing and they are the same.
    Index member_stride() const { return complete_ ? 0 : stride_; }
    bool complete() const { return complete_; }
    const JoinedPairs& pairs(Index member) const { return pairs_[static_cast<std::size_t>(member)]; }
    Count n_labelled(Index member) const { return n_labelled_[static_cast<std::size_t>(member)]; }
    Count size(Label label) const { return sizes_[static_cast<std::size_t>(all_points() + label)]; }
    /// Whether a cluster would vanish if the point left it.
    bool is_last(Index point) const {
        return size(labels_[static_cast<std::size_t>(point)]) == weight(point);
    }
    void prefetch(Index point) const { __builtin_prefetch(rows_of(point)); }

  private:
    void number_rows();
    void count_members();
    void count_point(Index point);
    void count_pairs();
    void move_labelled(Index point, Label from, Label to);
    // One row of sizes for each member that differs, then one for all points.
    Index all_points() const { return complete_ ? 0 : stride_ * n_members(); }
    Count& size(Label label) { return sizes_[static_cast<std::size_t>(all_points() + label)]; }

    LabelledEnsemble ensemble_;
    Index k_;
    Index stride_;
    bool complete_ = true;
    std::vector<Index> first_rows_;
    std::vector<std::int32_t> rows_;
    std::vector<Count> counts_, sizes_, n_labelled_;
    std::vector<JoinedPairs> pairs_;
    std::vector<Label> labels_;
};

}  // namespace intarsia
