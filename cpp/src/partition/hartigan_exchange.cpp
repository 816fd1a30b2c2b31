// Exchanges of two points between clusters that size limits keep from giving or taking a single one.
#include <algorithm>
#include <cmath>
#include <limits>

#include "intarsia/partition/hartigan.hpp"

namespace intarsia {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLeastGain = 1e-11;  // as for single moves: rounding must not send points round in circles
constexpr double kLeastShare = 1e-6;
constexpr Index kMostChanges = 24;  // of a cluster: the bounds rule out few where weights differ much

}  // namespace

// Lists the members of `from` that change to `to` at a cost below the limit, the cheapest few in order, both
// centres held fixed; returns the least cost of any.
double Hartigan::list_changes(Label from, Label to, double limit, std::vector<Change>& changes) const {
    changes.clear();
    double least = kInfinity;
    for (std::int32_t i : members_[from]) {
        const double own = distance(i, from);
        const double other = distance(i, to);
        const double cost = weight(i) * (other - own);
        least = std::min(least, cost);
        if (cost < limit) changes.push_back({cost, i, own, other});
    }
    const auto middle = changes.begin() + std::min(kMostChanges, static_cast<Index>(changes.size()));
    std::partial_sort(changes.begin(), middle, changes.end(), [](const Change& p, const Change& q) {
        return p.cost < q.cost || (p.cost == q.cost && p.point < q.point);
    });
    changes.erase(middle, changes.end());
    return least;
}

// What an exchange costs: both changes, less what the centres gain by following. The square of
// w_j (x_j - c) - w_i (x_i - c) is written with distances alone.
double Hartigan::exchange_cost(const Change& i, Label a, const Change& j, Label b) const {
    const double wi = weight(i.point);
    const double wj = weight(j.point);
    const double apart = wi * wj * between(points_.row(i.point), points_.row(j.point));
    const double shift_a = wj * (wj - wi) * j.other + wi * (wi - wj) * i.own + apart;
    const double shift_b = wi * (wi - wj) * i.other + wj * (wj - wi) * j.own + apart;
    const double mass_a = mass_[a] - wi + wj;
    const double mass_b = mass_[b] - wj + wi;
    // where nearly all the weight would leave, what is left is rounding
    if (mass_a < kLeastShare * mass_[a] || mass_b < kLeastShare * mass_[b]) return kInfinity;
    return i.cost + j.cost - shift_a / mass_a - shift_b / mass_b;
}

// Never less than what the centres gain by an exchange of any two members.
double Hartigan::most_shift_gain(Label a, Label b, double between_centres) const {
    const double length =
        max_weight_ * (radius_[a] + drift_[a] + radius_[b] + drift_[b] + between_centres) * (1 + 1e-9);
    const double mass_a = std::max(mass_[a] - max_weight_, 0.0) + min_weight_;
    const double mass_b = std::max(mass_[b] - max_weight_, 0.0) + min_weight_;
    return length * length * (1 / mass_a + 1 / mass_b);
}

// No change of a member of `from` costs less: its distances differ least towards the other centre.
double Hartigan::least_change(Label from, double between_centres) const {
    const double least =
        between_centres * (between_centres - 2 * (radius_[from] + drift_[from]) * (1 + 1e-9));
    return least * (least > 0 ? min_weight_ : max_weight_);
}

// Lists what each of two clusters might give; false when no exchange can gain more than `most_gain` costs.
bool Hartigan::list_both(Label a, Label b, double between_centres, double most_gain) {
    const double least_b = least_change(b, between_centres);
    if (least_change(a, between_centres) + least_b > most_gain) return false;
    const double least_a = list_changes(a, b, most_gain - least_b, changes_a_);
    if (changes_a_.empty()) return false;
    list_changes(b, a, most_gain - least_a, changes_b_);
    return !changes_b_.empty();
}

bool Hartigan::exchange_best(Label a, Label b) {
    const double between_centres = std::sqrt(between(centre(a), centre(b)));
    const double most_gain = most_shift_gain(a, b, between_centres);
    if (!list_both(a, b, between_centres, most_gain)) return false;
    std::int32_t best_i = -1;
    std::int32_t best_j = -1;
    double least = 0;
    for (const Change& i : changes_a_) {
        for (const Change& j : changes_b_) {
            if (i.cost + j.cost > most_gain + least) break;
            const double cost = exchange_cost(i, a, j, b);
            const double scale = weight(i.point) * (i.own + i.other) + weight(j.point) * (j.own + j.other);
            if (cost < least - kLeastGain * scale) {
                least = cost;
                best_i = i.point;
                best_j = j.point;
            }
        }
    }
    if (best_i < 0) return false;
    // The larger cluster gives first: neither is ever empty.
    const bool a_first = size(a) >= size(b);
    move(a_first ? best_i : best_j, a_first ? b : a);
    move(a_first ? best_j : best_i, a_first ? a : b);
    return true;
}

void Hartigan::exchange(Label c) {
    for (Label b = 0; b < n_clusters_; ++b) {
        if (b == c || (size(b) == 1 && size(c) == 1)) continue;
        const bool is_blocked = !can_leave(c) || !can_enter(b) || !can_leave(b) || !can_enter(c);
        if (is_blocked && exchange_best(c, b)) return;
    }
}

}  // namespace intarsia
