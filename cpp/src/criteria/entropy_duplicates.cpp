#include <algorithm>
#include <limits>
#include <string>

#include "intarsia/common/error.hpp"
#include "intarsia/criteria/entropy_counts.hpp"
#include "intarsia/criteria/entropy_pool.hpp"

namespace intarsia {

namespace {

constexpr double kNotNear = std::numeric_limits<double>::infinity();

/// Columns that overlap on their way to a partition.
class Untangling {
  public:
    Untangling(const Columns& columns, std::span<const Index> chosen, const StructuralEntropy& entropy)
        : entropy_(entropy),
          counts_(entropy),
          held_(static_cast<std::size_t>(columns.n_points)),
          n_members_(chosen.size(), 0),
          labels_(static_cast<std::size_t>(columns.n_points), kNoLabel),
          distances_(chosen.size(), kNotNear) {
        for (std::size_t c = 0; c < chosen.size(); ++c) {
            for (Point j : columns[chosen[c]]) {
                held_[j].push_back(static_cast<Label>(c));
                add(j, static_cast<Label>(c));
            }
        }
    }

    std::vector<Label> partition() {
        for (Point j = 0; j < std::ssize(labels_); ++j) place_covered(j);
        place_uncovered();
        for (Label c = 0; c < std::ssize(n_members_); ++c)
            if (n_members_[c] == 0) refill(c);
        return std::move(labels_);
    }

  private:
    void add(Point j, Label c) {
        counts_.add(j, c);
        ++n_members_[c];
    }
    void remove(Point j, Label c) {
        counts_.remove(j, c);
        --n_members_[c];
    }

    Label nearest_holder(Point j) const {
        Label best = kNoLabel;
        double least = std::numeric_limits<double>::infinity();
        for (Label c : held_[j]) {
            const double distance = counts_.insertion(j, c);
            if (distance < least) {
                least = distance;
                best = c;
            }
        }
        return best;
    }

    void place_covered(Point j) {
        if (held_[j].empty()) return;
        labels_[j] = held_[j].front();
        if (held_[j].size() == 1) return;
        for (Label c : held_[j]) remove(j, c);
        labels_[j] = nearest_holder(j);
        add(j, labels_[j]);
    }

    // Where a point goes must not depend on the points left out before it.
    void place_uncovered() {
        const auto filled = std::ranges::find_if(n_members_, [](Index n) { return n > 0; });
        const auto first = static_cast<Label>(filled - n_members_.begin());
        std::vector<Point> others;
        for (Point j = 0; j < std::ssize(labels_); ++j) {
            if (labels_[j] != kNoLabel) continue;
            others.push_back(j);
            labels_[j] = nearest(j);
            if (labels_[j] == kNoLabel) labels_[j] = first;  // nobody is around: all are as far
        }
        for (Point j : others) add(j, labels_[j]);
    }

    /// Of the clusters around the holders of a point, the one where it costs least: no other is cheaper.
    Label nearest(Point j) {
        near_.clear();
        for (Point i : entropy_.neighbourhoods().holders(j)) {
            for (const auto& [c, count] : counts_.row(i)) {
                if (distances_[c] == kNotNear) {
                    near_.push_back(c);
                    distances_[c] = entropy_.far_step(j);
                }
                distances_[c] += entropy_.step(i, count) - entropy_.step(i, 0);
            }
        }
        std::ranges::sort(near_);
        const auto best = std::ranges::min_element(near_, {}, [&](Label c) { return distances_[c]; });
        const Label found = best == near_.end() ? kNoLabel : *best;
        for (Label c : near_) distances_[c] = kNotNear;
        return found;
    }

    void refill(Label empty) {
        Point best = costliest([&](Point j) { return std::ranges::count(held_[j], empty) > 0; });
        if (best < 0) best = costliest([](Point) { return true; });
        remove(best, labels_[best]);
        add(best, empty);
        labels_[best] = empty;
    }

    /// Of the points in company that `may` move, the one that costs most where it is; -1 if there is none.
    template <class May>
    Point costliest(May&& may) const {
        Point worst = -1;
        double most = -std::numeric_limits<double>::infinity();
        for (Point j = 0; j < std::ssize(labels_); ++j) {
            if (n_members_[labels_[j]] < 2 || !may(j)) continue;
            if (const double here = counts_.removal(j, labels_[j]); here > most) {
                most = here;
                worst = j;
            }
        }
        return worst;
    }

    const StructuralEntropy& entropy_;
    EntropyCounts counts_;
    std::vector<std::vector<Label>> held_;  // the columns that hold each point, in the order chosen
    std::vector<Index> n_members_;
    std::vector<Label> labels_;
    std::vector<double> distances_;  // by cluster, while a point looks for the nearest
    std::vector<Label> near_;
};

}  // namespace

std::vector<Label> remove_entropy_duplicates(const Columns& columns, std::span<const Index> chosen,
                                             const StructuralEntropy& entropy) {
    if (columns.n_points != entropy.n_points())
        throw InvalidInput("the pool should be of as many points as the neighbourhoods.");
    check_chosen(columns, chosen);
    return Untangling(columns, chosen, entropy).partition();
}

}  // namespace intarsia
