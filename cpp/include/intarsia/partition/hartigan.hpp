#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "intarsia/common/size_limits.hpp"
#include "intarsia/common/weighted_points.hpp"

namespace intarsia {

/// A partition under single-point moves with the exact change of both centroids (Hartigan's criterion).
///
/// Incremental: a move can only become profitable when one of its two clusters has changed, so changed
/// clusters wait in a queue and only pairs with a queued cluster are looked at again; the triangle inequality
/// rules out the pairs that are too far apart. A perturbation therefore costs what it changes, not a pass
/// over all points. Where size limits forbid single moves, two points of two clusters change places instead.
class Hartigan {
  public:
    /// Needs positive weights; the views must outlive this object.
    Hartigan(const WeightedPoints& points, Index n_clusters, SizeLimits sizes = {});

    /// Takes a partition without empty clusters; every cluster is queued.
    void load(std::span<const Label> labels);

    /// Makes moves until none lowers the cost; returns how many were made. `stop` is asked before the moves
    /// of each cluster: what was made until then stays.
    Index improve(const std::function<bool()>& stop = {});
    /// The same, but gives up as soon as the cost is not falling fast enough to end below the target; returns
    /// whether it did. After a false, undo() the trial: the partition need not be at a local optimum.
    bool improve_below(double target);

    /// Dissolves cluster c into the others and starts it anew at one point of another cluster. False when the
    /// size limits leave no way to do it: undo() the trial then.
    bool relocate(Label c, Index point);

    /// From here on changes are remembered, until undo() takes them all back or keep() forgets them.
    void begin_trial();
    void undo();
    void keep();
    /// The clusters changed since begin_trial().
    std::vector<Label> touched() const;

    double cost() const { return total_; }
    /// How many distances were looked at since the start: work that is the same on every machine.
    std::uint64_t work() const { return work_; }
    std::span<const Label> labels() const { return labels_; }
    Index n_clusters() const { return n_clusters_; }
    Index size(Label c) const { return static_cast<Index>(members_[c].size()); }
    std::span<const std::int32_t> members(Label c) const { return members_[c]; }
    double cluster_cost(Label c) const { return cost_[c]; }
    const double* centre(Label c) const { return centre_.data() + c * n_dims_; }
    /// Squared distance of point i to the centre of its cluster.
    double own_squared(Index i) const;
    /// What point i costs where it is: its weight times that distance.
    double own_cost(Index i) const { return weight(i) * own_squared(i); }
    /// By how much the cost rises when cluster c is dissolved, each member going to its best other cluster
    /// (estimate with all other centres held fixed).
    double removal_cost(Label c) const;

  private:
    struct Target {
        Label cluster;
        double cost;
    };
    /// A member that might go to another cluster: what that costs, and its squared distances to both centres.
    struct Change {
        double cost;
        std::int32_t point;
        double own, other;
    };
    struct Saved {
        Label cluster;
        double mass, cost, radius, drift;
    };

    double weight(Index i) const { return points_.weight(i); }
    double between(const double* p, const double* q) const;
    double distance(Index i, Label c) const {
        ++work_;
        return between(points_.row(i), centre(c));
    }
    double removal_gain(Index i, double own_squared) const;
    double insertion_cost(Index i, Label c) const;
    Target best_target(Index i) const;
    Target best_of_targets(Index i, double own) const;
    bool can_leave(Label c) const { return size(c) > sizes_.least; }
    bool can_enter(Label c) const { return size(c) < sizes_.most; }
    bool is_bounded() const { return sizes_.least > 1 || sizes_.most < points_.n_points(); }

    double least_share(Label from, Label to) const;

    bool search(double target, const std::function<bool()>& stop = {});
    void queue(Label c);
    void clear_queue();
    void look_at(Label c);
    void let_leave(Label c);
    void attract(Label c);
    void attract_from(Label a, Label c, double between);
    void exchange(Label c);
    bool exchange_best(Label a, Label b);
    bool list_both(Label a, Label b, double between_centres, double most_gain);
    double list_changes(Label from, Label to, double limit, std::vector<Change>& changes) const;
    double exchange_cost(const Change& i, Label a, const Change& j, Label b) const;
    double most_shift_gain(Label a, Label b, double between_centres) const;
    double least_change(Label from, double between_centres) const;
    bool move_if_better(Index i, double own, Target target);
    void move(Index i, Label to);
    void refresh(Label c);
    void set_reach(Label c);
    void set_factors(Label c);
    void set_centre(Label c);
    void shift_mass(Label c, Index i, double w);
    void transfer(Index i, Label to);
    bool fill_up(Label c);
    void save(Label c);

    WeightedPoints points_;
    Index n_clusters_;
    Index n_dims_;
    Index stride_;
    SizeLimits sizes_;
    double (*between_points_)(const double*, const double*, Index);
    double min_weight_ = 1;
    double max_weight_ = 1;
    double least_factor_ = 0.5;  // no insertion factor W / (W + w) is smaller

    std::vector<Label> labels_;
    std::vector<std::int32_t> position_;  // where a point stands in its member list
    std::vector<double> own_;             // own_[i] + drift_[label] >= distance to the own centre
    std::vector<std::vector<std::int32_t>> members_;
    std::vector<double> sum_, centre_;  // row-major, n_clusters x n_dims
    std::vector<double> by_dimension_;  // the centres again, laid out for the kernels
    std::vector<double> mass_, cost_;
    std::vector<double> leaving_, entering_;  // factors of a point of weight 1
    std::vector<double> radius_, drift_;      // every member is within radius + drift of the centre
    std::vector<double> reach_;  // squared distance beyond which no member would move to another centre
    double total_ = 0;
    mutable std::uint64_t work_ = 0;

    std::vector<Label> queue_;
    std::size_t queue_head_ = 0;
    std::vector<char> queued_;
    std::vector<double> between_;
    std::vector<Label> near_;
    std::vector<std::pair<double, Label>>
        targets_;  // own distance that makes a target worth a look, nearest first
    std::vector<std::int32_t> visiting_;
    std::vector<Change> changes_a_, changes_b_;

    bool in_trial_ = false;
    std::vector<std::pair<std::int32_t, Label>> moves_;  // point and where it came from
    std::vector<Saved> saved_;
    std::vector<double> saved_vectors_;
    std::vector<std::pair<std::int32_t, double>> saved_own_;  // what own_ was
    std::vector<char> is_saved_;
    double total_before_ = 0;
};

}  // namespace intarsia
