#include "intarsia/pool/duplicates.hpp"

#include <algorithm>
#include <limits>

#include "intarsia/common/fill_empty.hpp"
#include "intarsia/common/label_groups.hpp"
#include "intarsia/distance/distance.hpp"

namespace intarsia {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// Means, weights and member counts of the clusters, kept exact under single moves.
class Centres {
  public:
    Centres(const Columns& columns, std::span<const Index> chosen, const WeightedPoints& points)
        : points_(points),
          d_(points.x.n_cols()),
          means_(chosen.size() * at(d_)),
          weights_(chosen.size()),
          counts_(chosen.size()) {
        for (std::size_t c = 0; c < chosen.size(); ++c) {
            const auto members = columns[chosen[c]];
            weights_[c] = column_mean(points, members, {means_.data() + c * at(d_), at(d_)});
            counts_[c] = std::ssize(members);
        }
    }

    Index size() const { return std::ssize(counts_); }
    Index count(Index c) const { return counts_[at(c)]; }
    const std::vector<Index>& counts() const { return counts_; }
    double distance(Point i, Index c) const {
        return squared_distance(points_.x.row(i), means_.data() + c * d_, d_);
    }

    void remove(Point i, Index c) {
        if (--counts_[at(c)] > 0) shift(i, c, -points_.weight(i));
    }

    void add(Point i, Index c) {
        if (counts_[at(c)]++ > 0) return shift(i, c, points_.weight(i));
        std::copy_n(points_.x.row(i), d_, means_.data() + c * d_);
        weights_[at(c)] = points_.weight(i);
    }

    /// The nearest centre that has members, ties to the lower.
    Index nearest(Point i) const {
        Index best = -1;
        double least = std::numeric_limits<double>::infinity();
        for (Index c = 0; c < size(); ++c) {
            const double dist = count(c) > 0 ? distance(i, c) : std::numeric_limits<double>::infinity();
            if (dist < least) {
                least = dist;
                best = c;
            }
        }
        return best;
    }

  private:
    void shift(Point i, Index c, double signed_weight) {
        weights_[at(c)] += signed_weight;
        const double share = signed_weight / weights_[at(c)];
        double* mean = means_.data() + c * d_;
        for (Index f = 0; f < d_; ++f) mean[f] += share * (points_.x(i, f) - mean[f]);
    }

    const WeightedPoints& points_;
    Index d_;
    std::vector<double> means_;
    std::vector<double> weights_;
    std::vector<Index> counts_;
};

/// For each point the chosen columns that hold it, in the order chosen.
Groups holders_of(const Columns& columns, std::span<const Index> chosen) {
    Groups holders{std::vector<Index>(at(columns.n_points) + 1, 0), {}};
    for (Index j : chosen) {
        for (Point i : columns[j]) ++holders.offsets[at(i) + 1];
    }
    for (std::size_t i = 1; i < holders.offsets.size(); ++i) holders.offsets[i] += holders.offsets[i - 1];
    holders.members.resize(at(holders.offsets.back()));
    std::vector<Index> next(holders.offsets.begin(), holders.offsets.end() - 1);
    for (std::size_t c = 0; c < chosen.size(); ++c) {
        for (Point i : columns[chosen[c]]) holders.members[at(next[at(i)]++)] = static_cast<Point>(c);
    }
    return holders;
}

Label nearest_holder(const Centres& centres, Point i, std::span<const Point> holders) {
    Label best = holders.front();
    double least = centres.distance(i, best);
    for (Point c : holders.subspan(1)) {
        const double dist = centres.distance(i, c);
        if (dist < least) {
            least = dist;
            best = c;
        }
    }
    return best;
}

void place_covered(const Groups& holders, Centres& centres, std::span<Label> labels) {
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const auto here = holders[static_cast<Index>(i)];
        if (here.empty()) continue;
        const auto point = static_cast<Point>(i);
        labels[i] = here.size() == 1 ? here.front() : nearest_holder(centres, point, here);
        for (Point c : here) {
            if (c != labels[i]) centres.remove(point, c);
        }
    }
}

void place_uncovered(Centres& centres, std::span<Label> labels) {
    std::vector<Point> joined;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        if (labels[i] != kNoLabel) continue;
        labels[i] = static_cast<Label>(centres.nearest(static_cast<Point>(i)));
        joined.push_back(static_cast<Point>(i));
    }
    // Only now: where a point goes must not depend on the uncovered points before it.
    for (Point i : joined) centres.add(i, labels[at(i)]);
}

/// Each emptied column takes the point that costs most where it is; the centres follow.
void refill_empty(Centres& centres, std::span<Label> labels, const WeightedPoints& points) {
    const auto cost = [&](Index i) {
        return points.weight(i) * centres.distance(static_cast<Point>(i), labels[at(i)]);
    };
    fill_empty(labels, centres.counts(), cost, [&](Index i, Label to) {
        centres.remove(static_cast<Point>(i), labels[at(i)]);
        centres.add(static_cast<Point>(i), to);
        labels[at(i)] = to;
    });
}

}  // namespace

std::vector<Label> remove_duplicates(const Columns& columns, std::span<const Index> chosen,
                                     const WeightedPoints& points) {
    check_chosen(columns, chosen);
    check_points(points, columns.n_points);
    std::vector<Label> labels(at(columns.n_points), kNoLabel);
    Centres centres(columns, chosen, points);
    place_covered(holders_of(columns, chosen), centres, labels);
    place_uncovered(centres, labels);
    refill_empty(centres, labels, points);
    return labels;
}

}  // namespace intarsia
