#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "intarsia/common/rng.hpp"
#include "intarsia/common/size_limits.hpp"
#include "intarsia/criteria/entropy_counts.hpp"

namespace intarsia {

/// A partition under single moves that lower its structural entropy. Looks again only at points whose
/// neighbours have moved.
class EntropyMoves {
  public:
    /// Labels in [0, k); a cluster may be empty until `keep_sizes`.
    EntropyMoves(const StructuralEntropy& entropy, std::span<const Label> labels, Index k, SizeLimits sizes);

    /// Visits the points in turn and moves each to the cluster that lowers the cost most, until none does
    /// within the size limits.
    void improve();
    /// Brings clusters that are too small, then those that are too large, within the limits, by the moves
    /// that cost least at the moment. There must be points enough, and not too many.
    void keep_sizes();
    /// Empties a cluster: its points follow their neighbours into others, whatever the limits; points that
    /// have none in others go together to a random one.
    void close(Label c, Rng& rng);
    /// Moves the point and those around it to a cluster, no more than `most` of them.
    void open(Point p, Label c, Index most);

    const std::vector<Label>& labels() const { return labels_; }
    Index n_clusters() const { return std::ssize(n_members_); }
    Index size(Label c) const { return n_members_[c]; }
    /// Whether points of other clusters are around the point.
    bool is_mixed(Point i) const { return counts_.row(i).size() > 1; }
    /// The cost, which is the sum of the clusters', up to rounding.
    double cost() const { return total_ / static_cast<double>(std::ssize(labels_)); }
    /// Neighbours looked at so far.
    double work() const { return static_cast<double>(work_); }

    /// Moves from now on can be taken back.
    void begin_trial();
    void take_back();
    /// The clusters that the trial has moved points from or to, ascending.
    std::vector<Label> touched() const;

  private:
    struct Target {
        Label cluster;
        double change;
    };
    struct Undo {
        Point point;
        Label from, to;
    };
    struct Move {
        double change;
        Point point;
        Label to;
    };

    bool can_leave(Label c) const { return n_members_[c] > sizes_.least; }
    bool can_enter(Label c) const { return n_members_[c] < sizes_.most; }
    bool sweep();
    /// The best other cluster around the point among those that `allowed` names; kNoLabel if there is none.
    template <class Allowed>
    Target best_target(Point j, Allowed&& allowed);
    void move(Point j, Label to, double change);
    void move(Point j, Label to);
    void mark_around(Point j);
    void fill(Label c);
    std::vector<Point> points_around(Label c) const;
    /// Moves to the cluster, of these points, those that cost least, until it is large enough.
    void take(Label c, std::span<const Point> from);
    void thin(Label c);

    const StructuralEntropy& entropy_;
    EntropyCounts counts_;
    SizeLimits sizes_;
    std::vector<Label> labels_;
    std::vector<Index> n_members_;
    double total_ = 0;
    double start_total_ = 0;
    std::vector<char> in_doubt_;
    std::vector<Undo> moves_;
    bool in_trial_ = false;
    std::uint64_t work_ = 0;
    std::vector<double> relief_;  // of each cluster that is around: what it saves against one that is not
    std::vector<Label> near_;
};

}  // namespace intarsia
