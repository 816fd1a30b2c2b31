#include "intarsia/pmedian/median_columns.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "intarsia/common/error.hpp"
#include "intarsia/common/label_groups.hpp"

namespace intarsia {

namespace {

using Away = std::pair<double, Point>;  // how far a point is: sorts by distance, then by number

void check_labels_of(const Space& space, std::span<const Label> labels, Index k) {
    check_space(space);
    check_labels(labels, space.n_points(), k);
}

std::vector<Away> distances_to(const Space& space, Point median, std::span<const Point> points, double sign) {
    std::vector<Away> found;
    with_distance(space, [&](const auto& distance) {
        for (Point i : points) found.emplace_back(sign * distance.raw(i, median), i);
    });
    return found;
}

// The first tau of them in order.
std::vector<Away> first_of(std::vector<Away> all, Index tau) {
    const auto count = std::min<Index>(tau, std::ssize(all));
    std::partial_sort(all.begin(), all.begin() + count, all.end());
    all.resize(static_cast<std::size_t>(count));
    return all;
}

class Adder {
  public:
    Adder(ColumnPool& pool, const Space& space, const SizeLimits& sizes, std::int32_t origin)
        : pool_(pool), space_(space), sizes_(sizes), origin_(origin) {}

    Index add(std::span<const Point> members, Point hint) {
        if (!sizes_.allow(std::ssize(members))) return ColumnPool::kAbsent;
        const Index known = pool_.find(members);
        if (known != ColumnPool::kAbsent) return known;
        return pool_.add(members, column_median(space_, members, hint).cost, origin_).id;
    }

    void grow(std::vector<Point> members, const std::vector<Away>& nearest, Point hint) {
        for (const auto& [away, i] : nearest) {
            members.insert(std::upper_bound(members.begin(), members.end(), i), i);
            add(members, hint);
        }
    }

    void shrink(std::vector<Point> members, const std::vector<Away>& farthest, Point hint) {
        for (const auto& [away, i] : farthest) {
            members.erase(std::lower_bound(members.begin(), members.end(), i));
            add(members, hint);
        }
    }

  private:
    ColumnPool& pool_;
    const Space& space_;
    SizeLimits sizes_;
    std::int32_t origin_;
};

// Chosen columns that become a partition.
class Untangling {
  public:
    Untangling(const Columns& columns, std::span<const Index> chosen, const Space& space)
        : space_(space),
          held_(chosen.size()),
          labels_(static_cast<std::size_t>(space.n_points()), kNoLabel),
          away_(labels_.size(), std::numeric_limits<double>::infinity()),
          sizes_(chosen.size(), 0) {
        for (std::size_t c = 0; c < chosen.size(); ++c) {
            const auto members = columns[chosen[c]];
            held_[c].assign(members.begin(), members.end());
            medians_.push_back(column_median(space, members).median);
        }
    }

    std::vector<Label> partition() {
        with_distance(space_, [&](const auto& distance) {
            for (std::size_t c = 0; c < held_.size(); ++c) {
                for (Point i : held_[c]) offer(distance, i, static_cast<Label>(c));
            }
            for (Point i = 0; i < space_.n_points(); ++i) {
                if (labels_[i] != kNoLabel) continue;
                for (std::size_t c = 0; c < held_.size(); ++c) offer(distance, i, static_cast<Label>(c));
            }
        });
        for (Label label : labels_) ++sizes_[label];
        for (std::size_t c = 0; c < held_.size(); ++c) {
            if (sizes_[c] == 0) refill(static_cast<Label>(c));
        }
        return labels_;
    }

  private:
    template <class Distance>
    void offer(const Distance& distance, Point i, Label c) {
        const double away = distance.value(distance.raw(i, medians_[c]));
        if (!(away < away_[i])) return;
        away_[i] = away;
        labels_[i] = c;
    }

    void refill(Label c) {
        Point found = costliest(held_[c]);
        if (found < 0) {
            std::vector<Point> all(labels_.size());
            for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Point>(i);
            found = costliest(all);
        }
        --sizes_[labels_[found]];
        ++sizes_[c];
        labels_[found] = c;
    }

    // The point that costs most where it is and can be spared there; -1 if none can.
    Point costliest(std::span<const Point> points) const {
        Point best = -1;
        double most = -1;
        for (Point i : points) {
            const double cost = space_.weight(i) * away_[i];
            if (sizes_[labels_[i]] > 1 && cost > most) best = i, most = cost;
        }
        return best;
    }

    const Space& space_;
    std::vector<std::vector<Point>> held_;
    std::vector<Point> medians_;
    std::vector<Label> labels_;
    std::vector<double> away_;
    std::vector<Index> sizes_;
};

}  // namespace

ClusterMedians cluster_medians(const Space& space, std::span<const Label> labels, Index k) {
    check_labels_of(space, labels, k);
    const Groups groups = group_labels(labels, k);
    ClusterMedians found;
    for (Index c = 0; c < k; ++c) {
        if (groups.size(c) == 0) throw InvalidInput("no cluster should be empty.");
        const ColumnMedian best = column_median(space, groups[c]);
        found.medians.push_back(best.median);
        found.costs.push_back(best.cost);
    }
    return found;
}

std::vector<Index> add_median_clusters(ColumnPool& pool, const Space& space, std::span<const Label> labels,
                                       Index k, std::int32_t origin, const SizeLimits& sizes) {
    check_labels_of(space, labels, k);
    const Groups groups = group_labels(labels, k);
    Adder adder(pool, space, sizes, origin);
    std::vector<Index> ids;
    for (Index c = 0; c < k; ++c) ids.push_back(adder.add(groups[c], -1));
    return ids;
}

std::vector<Label> remove_median_duplicates(const Columns& columns, std::span<const Index> chosen,
                                            const Space& space) {
    check_space(space);
    if (columns.n_points != space.n_points()) throw InvalidInput("the pool should be of as many points.");
    check_chosen(columns, chosen);
    return Untangling(columns, chosen, space).partition();
}

Index expand_medians(ColumnPool& pool, const Space& space, std::span<const Label> labels, Index k, Index tau,
                     const SizeLimits& sizes, std::int32_t origin) {
    check_labels_of(space, labels, k);
    if (tau < 0) throw InvalidInput("tau=" + std::to_string(tau) + " should be >= 0.");
    const Groups groups = group_labels(labels, k);
    const Index before = pool.size();
    Adder adder(pool, space, sizes, origin);
    for (Index c = 0; c < k; ++c) {
        if (groups.size(c) == 0) continue;
        const std::vector<Point> members(groups[c].begin(), groups[c].end());
        const Point median = column_median(space, members).median;
        std::vector<Point> others;
        for (Point i = 0; i < space.n_points(); ++i) {
            if (labels[i] != c) others.push_back(i);
        }
        adder.add(members, median);
        adder.grow(members, first_of(distances_to(space, median, others, 1), tau), median);
        adder.shrink(members, first_of(distances_to(space, median, members, -1), tau), median);
    }
    return pool.size() - before;
}

}  // namespace intarsia
