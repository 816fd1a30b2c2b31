#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "intarsia/pmedian/metric.hpp"

namespace intarsia {

/// The median that goes for a new one, and by how much the cost rises then.
struct MedianSwap {
    Label out = kNoLabel;
    double change = std::numeric_limits<double>::infinity();
};

/// Who is served by which of at least two medians and who would be next: kept up to date while one median at
/// a time is replaced. Clusters too far from a point for it to serve anybody in them are passed over whole.
template <class Distance>
class MedianState {
  public:
    MedianState(const Space& space, const Distance& distance)
        : space_(&space), distance_(distance), n_(static_cast<Point>(space.n_points())) {
        known_.slot.assign(static_cast<std::size_t>(n_), kNoLabel);
        known_.served.resize(static_cast<std::size_t>(n_));
    }

    /// Starts from these different points.
    void load(std::span<const Point> medians) {
        for (Point m : known_.medians) known_.slot[m] = kNoLabel;
        known_.medians.assign(medians.begin(), medians.end());
        known_.members.assign(medians.size(), {});
        known_.clusters.assign(medians.size(), {});
        for (Label c = 0; c < n_clusters(); ++c) known_.slot[medians[c]] = c;
        for (Point i = 0; i < n_; ++i) {
            find_nearest(i);
            join(i, known_.served[i].near);
        }
        work_ += static_cast<double>(n_) * static_cast<double>(medians.size());
        is_touched_.assign(medians.size(), 0);
        touched_.clear();
        for (Label c = 0; c < n_clusters(); ++c) renew(c);
        add_up();
    }

    Label n_clusters() const { return static_cast<Label>(known_.medians.size()); }
    Point n_points() const { return n_; }
    double cost() const { return cost_; }
    /// Distances looked at so far.
    double work() const { return work_; }
    const std::vector<Point>& medians() const { return known_.medians; }
    std::span<const Point> members(Label c) const { return known_.members[c]; }
    bool is_median(Point i) const { return known_.slot[i] != kNoLabel; }
    Label label(Point i) const { return known_.served[i].near; }
    /// What the members would cost more without their median.
    double loss(Label c) const { return known_.clusters[c].loss; }

    std::vector<Label> labels() const {
        std::vector<Label> found(static_cast<std::size_t>(n_));
        for (Point i = 0; i < n_; ++i) found[i] = label(i);
        return found;
    }

    /// The best median to go for a new one; `nearby`: of those only whose members it may serve.
    MedianSwap evaluate(Point entering, bool nearby = false) {
        MedianSwap best;
        double gain = 0;  // of those who are nearer to the new one, whoever goes
        work_ += n_clusters();
        for (Label c = 0; c < n_clusters(); ++c) {
            const double away = distance_.raw(known_.medians[c], entering);
            double rise = known_.clusters[c].loss;
            if (!Distance::kTriangle || away < known_.clusters[c].reach) {
                rise += take_over(c, entering, gain);
            } else if (nearby) {
                continue;
            }
            if (rise < best.change) best = {c, rise};
        }
        best.change -= gain;
        return best;
    }

    /// Replaces a median. The clusters that change are `touched` until they are forgotten.
    void replace(Label out, Point entering) {
        known_.slot[known_.medians[out]] = kNoLabel;
        known_.slot[entering] = out;
        known_.medians[out] = entering;
        find_bereft(out);
        for (Label c = 0; c < n_clusters(); ++c) {
            const double away = distance_.raw(known_.medians[c], entering);
            if (c != out && (!Distance::kTriangle || away < known_.clusters[c].reach))
                offer(c, out, entering);
        }
        work_ += static_cast<double>(bereft_.size()) * n_clusters();
        for (Point i : bereft_) serve_again(i);
        if (label(entering) != out) serve_again(entering);  // where another median stands at its place
        change(out);
        for (Label c : changed_) renew(c);
        changed_.clear();
        add_up();
    }

    /// In no order.
    std::span<const Label> touched() const { return touched_; }
    void forget_touched() {
        for (Label c : touched_) is_touched_[c] = 0;
        touched_.clear();
    }

    void save() { saved_ = known_; }
    void restore() {
        known_ = saved_;
        add_up();
    }

  private:
    struct Served {
        Label near, second;
        Point place;  // among the members
        double near_raw, second_raw, near_value, second_value;
        double reach;  // raw: who is as far from the median serves this point neither first nor second
    };
    struct Cluster {
        double cost, loss, reach;
        bool is_changed;
    };
    struct Known {
        std::vector<Point> medians;
        std::vector<Label> slot;  // of a point that is a median
        std::vector<Served> served;
        std::vector<std::vector<Point>> members;
        std::vector<Cluster> clusters;
    };
    static constexpr double kSlack = 1 + 1e-12;  // rounding must not pass over anybody

    // What the members of a cluster without its median save by the new one; `gain` is what they save with it.
    // Few branches: which of the three is nearest, the new one, the first or the second, nobody can predict.
    double take_over(Label c, Point entering, double& gain) {
        double rise = 0, saved = 0;
        work_ += static_cast<double>(known_.members[c].size());
        for (Point i : known_.members[c]) {
            const Served& s = known_.served[i];
            const double w = space_->weight(i), value = distance_.value(distance_.raw(i, entering));
            saved += w * std::max(s.near_value - value, 0.0);
            rise += w * (std::max(std::min(value, s.second_value), s.near_value) - s.second_value);
        }
        gain += saved;
        return rise;
    }

    void find_bereft(Label out) {
        bereft_.clear();
        for (Point i = 0; i < n_; ++i) {
            if (known_.served[i].near == out || known_.served[i].second == out) bereft_.push_back(i);
        }
    }

    void offer(Label c, Label by, Point entering) {
        work_ += static_cast<double>(known_.members[c].size());
        for (std::size_t p = known_.members[c].size(); p-- > 0;) {
            const Point i = known_.members[c][p];
            Served& s = known_.served[i];
            const double raw = distance_.raw(i, entering);
            if (s.second == by || raw >= s.second_raw) continue;
            change(c);
            if (raw < s.near_raw) {
                s.second = c, s.second_raw = s.near_raw;
                s.near_raw = raw;
                leave(i);
                join(i, by);
            } else {
                s.second = by, s.second_raw = raw;
            }
            measure(s);
        }
    }

    void serve_again(Point i) {
        const Label before = known_.served[i].near;
        leave(i);
        find_nearest(i);
        join(i, known_.served[i].near);
        change(before);
        change(known_.served[i].near);
    }

    // Ties go to the lower number, but a median serves itself.
    void find_nearest(Point i) {
        Served& s = known_.served[i];
        s.near = s.second = kNoLabel;
        s.near_raw = s.second_raw = std::numeric_limits<double>::infinity();
        if (known_.slot[i] != kNoLabel) s.near = known_.slot[i], s.near_raw = 0;
        for (Label c = 0; c < n_clusters(); ++c) {
            if (c == known_.slot[i]) continue;
            const double raw = distance_.raw(known_.medians[c], i);
            if (raw < s.near_raw) {
                s.second = s.near, s.second_raw = s.near_raw;
                s.near = c, s.near_raw = raw;
            } else if (raw < s.second_raw) {
                s.second = c, s.second_raw = raw;
            }
        }
        measure(s);
    }

    void measure(Served& s) const {
        s.near_value = distance_.value(s.near_raw);
        s.second_value = distance_.value(s.second_raw);
        s.reach = distance_.raw_of(distance_.length(s.near_raw) + distance_.length(s.second_raw)) * kSlack;
    }

    void join(Point i, Label c) {
        known_.served[i].near = c;
        known_.served[i].place = static_cast<Point>(known_.members[c].size());
        known_.members[c].push_back(i);
    }

    void leave(Point i) {
        auto& members = known_.members[known_.served[i].near];
        const Point place = known_.served[i].place, last = members.back();
        members[place] = last;
        known_.served[last].place = place;
        members.pop_back();
    }

    void change(Label c) {
        if (!known_.clusters[c].is_changed) changed_.push_back(c);
        known_.clusters[c].is_changed = true;
        if (!is_touched_[c]) touched_.push_back(c);
        is_touched_[c] = 1;
    }

    // Afresh, so that no rounding adds up.
    void renew(Label c) {
        Cluster now{0, 0, 0, false};
        for (Point i : known_.members[c]) {
            const Served& s = known_.served[i];
            now.cost += space_->weight(i) * s.near_value;
            now.loss += space_->weight(i) * (s.second_value - s.near_value);
            now.reach = std::max(now.reach, s.reach);
        }
        known_.clusters[c] = now;
    }

    void add_up() {
        cost_ = 0;
        for (const Cluster& cluster : known_.clusters) cost_ += cluster.cost;
    }

    const Space* space_;
    Distance distance_;
    Point n_;
    Known known_, saved_;
    double cost_ = 0, work_ = 0;
    std::vector<Point> bereft_;
    std::vector<Label> changed_, touched_;
    std::vector<char> is_touched_;
};

}  // namespace intarsia
