#include "intarsia/pmedian/column_median.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <type_traits>
#include <vector>

#include "intarsia/distance/distance.hpp"
#include "intarsia/pool/column_cost.hpp"

namespace intarsia {

namespace {

constexpr double kSlack = 1e-9;  // of what bounds are made of: rounding must not drop the best

template <class Distance>
class MedianSearch {
  public:
    MedianSearch(const Space& space, const Distance& distance, std::span<const Point> members)
        : space_(space), distance_(distance), members_(members) {
        for (Point i : members) weight_ += space.weight(i);
    }

    ColumnMedian find(Point hint) {
        if constexpr (Distance::kTriangle) find_mean();
        const Point anchor = hint >= 0 ? hint : central_member();
        anchor_cost_ = sum(anchor, std::numeric_limits<double>::infinity());
        auto member = members_.begin();
        for (Point m = 0; m < space_.n_points(); ++m) {
            const bool is_member = member != members_.end() && *member == m;
            if (is_member) ++member;
            if (m == anchor) {
                offer(m, !is_member, anchor_cost_);
            } else if (may_be_best(m, anchor)) {
                offer(m, !is_member, sum(m, best_cost()));
            }
        }
        return {std::get<2>(best_), best_cost()};
    }

  private:
    // Whether a bound leaves room for a sum that is no more than the best so far.
    bool may_be_best(Point m, Point anchor) const {
        if constexpr (Distance::kSquares) {
            const double away = squared_distance_to_mean(m);
            const double bound = distance_.value(weight_ * away) * (1 - kSlack) + around_mean_;
            return bound <= best_cost() * (1 + kSlack);
        } else if constexpr (Distance::kTriangle) {
            const double away = distance_.length(distance_.raw(m, anchor));
            const double bound = weight_ * away * (1 - kSlack) - anchor_cost_;
            return bound <= best_cost() * (1 + kSlack);
        } else {
            return true;
        }
    }

    // The sum of distances; given up, and infinite, where it passes `limit`.
    double sum(Point m, double limit) const {
        double total = 0;
        for (Point i : members_) {
            total += space_.weight(i) * distance_.value(distance_.raw(i, m));
            if (total > limit) return std::numeric_limits<double>::infinity();
        }
        return total;
    }

    void offer(Point m, bool is_other, double cost) {
        best_ = std::min(best_, std::tuple{cost, is_other, m});
    }

    // The anchor's sum is known before its turn has come.
    double best_cost() const { return std::min(std::get<0>(best_), anchor_cost_); }

    void find_mean() {
        mean_.resize(static_cast<std::size_t>(space_.points.n_dims()));
        column_mean(space_.points, members_, mean_);
        if constexpr (Distance::kSquares) {
            // squared distances add up to those to the mean, and the weight times that of mean and median
            for (Point i : members_)
                around_mean_ += space_.weight(i) * distance_.value(squared_distance_to_mean(i));
            around_mean_ *= 1 - kSlack;
        }
    }

    Point central_member() const {
        if (mean_.empty()) return members_[members_.size() / 2];
        return *std::min_element(members_.begin(), members_.end(), [&](Point a, Point b) {
            return squared_distance_to_mean(a) < squared_distance_to_mean(b);
        });
    }

    double squared_distance_to_mean(Point i) const {
        return squared_distance(space_.points.row(i), mean_.data(), space_.points.n_dims());
    }

    const Space& space_;
    Distance distance_;
    std::span<const Point> members_;
    double weight_ = 0, anchor_cost_ = 0, around_mean_ = 0;
    std::vector<double> mean_;
    std::tuple<double, bool, Point> best_{std::numeric_limits<double>::infinity(), true, 0};
};

}  // namespace

ColumnMedian column_median(const Space& space, std::span<const Point> members, Point hint) {
    return with_distance(space, [&](const auto& distance) {
        return MedianSearch<std::decay_t<decltype(distance)>>(space, distance, members).find(hint);
    });
}

}  // namespace intarsia
