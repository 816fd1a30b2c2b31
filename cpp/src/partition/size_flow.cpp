#include "intarsia/partition/size_flow.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "intarsia/common/error.hpp"
#include "intarsia/common/listener.hpp"

namespace intarsia {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Index kFirstCandidates = 12;
constexpr Index kFirstSteps = 30;
constexpr double kSteadySteps = 10;  // as long as these last; later ones are smaller and smaller
constexpr double kRounding = 1e-12;  // of the numbers compared: less is no difference

// The primal-dual method for flows. The nodes are the clusters and one node beyond them, "outside", that
// receives every point; cluster c passes `passed_[c]` of them on, between least and most. An arc from a to b
// is the member of a that changes to b at the least cost. With the prices no arc that can be used is shorter
// than nothing. In each phase the shortest ways are found from all nodes that have too much to those that
// lack something, and one point moves along each arc of those ways that do not get in each other's.
class SizeFlow {
  public:
    SizeFlow(const AssignmentCosts& costs, SizeLimits sizes, std::vector<double>& prices)
        : costs_(costs),
          n_(costs.n_points),
          k_(costs.n_clusters),
          outside_(static_cast<Label>(costs.n_clusters)),
          sizes_{std::max<Index>(sizes.least, 0), std::min(sizes.most, costs.n_points)},
          price_(prices),
          row_(k_),
          candidates_(n_),
          own_(n_),
          labels_(n_),
          position_(n_),
          members_(k_),
          arcs_(k_),
          is_stale_(k_, 1),
          best_(k_),
          passed_(k_),
          distance_(k_ + 1),
          from_(k_ + 1),
          via_(k_ + 1) {
        if (n_ < k_ * sizes_.least || n_ > k_ * sizes_.most)
            throw InvalidInput("no assignment keeps the size limits");
        for (Index i = 0; i < n_; ++i) choose_candidates(i);
        for (Index step = 0; step < kFirstSteps; ++step)
            if (!shift_prices(step)) break;
        for (Index i = 0; i < n_; ++i) place(i);
        excess_outside_ = -n_;
        for (Label c = 0; c < outside_; ++c) {
            passed_[c] = due(c);
            excess_outside_ += passed_[c];
        }
    }

    // False when it is late.
    bool solve(Listener listener) {
        do {
            while (!is_balanced()) {
                if (listener.is_over()) return false;
                if (find_ways())
                    push();
                else
                    widen();
            }
        } while (price_in());
        return true;
    }

    std::vector<Label> labels() { return std::move(labels_); }

  private:
    struct Candidate {
        double cost;
        Label cluster;
    };
    struct Arc {
        double cost;
        std::int32_t point;
        Label to;
    };
    struct Best {
        double cost = kInfinity;
        std::int32_t point = -1;
    };
    using Reached = std::pair<double, Label>;

    Index size(Label c) const { return static_cast<Index>(members_[c].size()); }
    Index excess(Label v) const { return v == outside_ ? excess_outside_ : size(v) - passed_[v]; }
    bool is_balanced() const {
        for (Label v = 0; v <= outside_; ++v)
            if (excess(v) != 0) return false;
        return true;
    }

    // Gives a point its candidates, the cheapest at these prices.
    void choose_candidates(Index i) {
        costs_.row(i, row_.data());
        order_.clear();
        for (Label c = 0; c < outside_; ++c) {
            const double reduced = row_[c] - price_[c];
            if (static_cast<Index>(order_.size()) == kFirstCandidates && !(reduced < order_.back().first))
                continue;
            if (static_cast<Index>(order_.size()) == kFirstCandidates) order_.pop_back();
            const Reached entry{reduced, c};
            order_.insert(std::upper_bound(order_.begin(), order_.end(), entry), entry);
        }
        candidates_[i].clear();
        candidates_[i].reserve(order_.size());
        for (const auto& [reduced, c] : order_) candidates_[i].push_back({row_[c], c});
    }

    void place(Index i) {
        choose_candidates(i);
        const Candidate& first = candidates_[i].front();
        enter(static_cast<std::int32_t>(i), first.cluster, first.cost);
    }

    const Candidate& cheapest_candidate(Index i) const {
        const auto is_cheaper = [this](const Candidate& p, const Candidate& q) {
            return p.cost - price_[p.cluster] < q.cost - price_[q.cluster];
        };
        return *std::min_element(candidates_[i].begin(), candidates_[i].end(), is_cheaper);
    }

    // Makes clusters that are too large a little dearer, and those that are too small cheaper: any prices
    // will do, and after some such steps less is left to push. False when nothing is out of balance.
    bool shift_prices(Index step) {
        std::fill(passed_.begin(), passed_.end(), 0);  // sizes, for the time being
        double total = 0;
        for (Index i = 0; i < n_; ++i) {
            const Candidate& found = cheapest_candidate(i);
            ++passed_[found.cluster];
            total += found.cost;
        }
        const double pace =
            total / static_cast<double>(n_) * kSteadySteps / (kSteadySteps + static_cast<double>(step));
        bool is_off = false;
        for (Label c = 0; c < outside_; ++c) {
            const Index wanted = std::clamp(passed_[c], sizes_.least, sizes_.most);
            if (wanted == passed_[c]) continue;
            is_off = true;
            price_[c] += pace * static_cast<double>(wanted - passed_[c]) /
                         static_cast<double>(std::max(wanted, passed_[c]));
        }
        return is_off;
    }

    void enter(std::int32_t i, Label c, double cost) {
        labels_[i] = c;
        own_[i] = cost;
        position_[i] = static_cast<std::int32_t>(members_[c].size());
        members_[c].push_back(i);
        is_stale_[c] = 1;
    }

    void leave(std::int32_t i) {
        auto& list = members_[labels_[i]];
        position_[list.back()] = position_[i];
        list[position_[i]] = list.back();
        list.pop_back();
        is_stale_[labels_[i]] = 1;
    }

    void move(std::int32_t i, Label to) {
        leave(i);
        enter(i, to, find(i, to)->cost);
    }

    const Candidate* find(Index i, Label c) const {
        for (const Candidate& candidate : candidates_[i])
            if (candidate.cluster == c) return &candidate;
        return nullptr;
    }

    // What a cluster has to pass on at these prices.
    Index due(Label c) const {
        if (price_[c] < price_[outside_]) return sizes_.most;
        if (price_[c] > price_[outside_]) return sizes_.least;
        return std::clamp(size(c), sizes_.least, sizes_.most);
    }

    // The cheapest change of a member of a to each of the clusters that are a candidate of any.
    void find_arcs(Label a) {
        arcs_[a].clear();
        is_stale_[a] = 0;
        for (std::int32_t i : members_[a])
            for (const Candidate& candidate : candidates_[i])
                if (candidate.cluster != a) offer(a, candidate, i);
        for (Arc& arc : arcs_[a]) {
            arc.cost = best_[arc.to].cost;
            arc.point = best_[arc.to].point;
            best_[arc.to] = {};
        }
    }

    void offer(Label a, const Candidate& candidate, std::int32_t i) {
        Best& best = best_[candidate.cluster];
        if (best.point < 0) arcs_[a].push_back({0, 0, candidate.cluster});
        const double cost = candidate.cost - own_[i];
        if (cost < best.cost || (cost == best.cost && i < best.point)) best = {cost, i};
    }

    // Dijkstra's algorithm from all nodes that have too much to all that lack something and can be reached;
    // the prices follow, so that lengths stay non-negative. False when none can be reached.
    bool find_ways() {
        std::fill(distance_.begin(), distance_.end(), kInfinity);
        Index n_lacking = 0;
        for (Label v = 0; v <= outside_; ++v) {
            if (excess(v) > 0) reach(v, 0.0, kNoLabel, -1);
            if (excess(v) < 0) ++n_lacking;
        }
        lacking_.clear();
        double last = 0;
        while (!open_.empty() && static_cast<Index>(lacking_.size()) < n_lacking) {
            const auto [distance, a] = open_.top();
            open_.pop();
            if (distance > distance_[a]) continue;
            last = distance;
            if (excess(a) < 0) lacking_.push_back(a);
            look_from(a);
        }
        open_ = {};
        if (lacking_.empty()) return false;
        for (Label v = 0; v <= outside_; ++v) price_[v] += std::min(distance_[v], last);
        return true;
    }

    void look_from(Label a) {
        if (a == outside_) {
            for (Label b = 0; b < outside_; ++b)
                if (passed_[b] > sizes_.least) go(a, b, 0.0, -1);
            return;
        }
        if (passed_[a] < sizes_.most) go(a, outside_, 0.0, -1);
        if (is_stale_[a]) find_arcs(a);
        for (const Arc& arc : arcs_[a]) go(a, arc.to, arc.cost, arc.point);
    }

    void go(Label a, Label b, double cost, std::int32_t point) {
        const double length = std::max(0.0, cost + price_[a] - price_[b]);
        if (distance_[a] + length < distance_[b]) reach(b, distance_[a] + length, a, point);
    }

    void reach(Label v, double distance, Label from, std::int32_t via) {
        distance_[v] = distance;
        from_[v] = from;
        via_[v] = via;
        open_.emplace(distance, v);
    }

    void push() {
        for (Label target : lacking_)
            if (is_open(target)) push_to(target);
    }

    // Whether the way to a node is still as it was found: nobody on it has moved, and there is too much at
    // its beginning.
    bool is_open(Label target) const {
        Label b = target;
        for (; from_[b] != kNoLabel; b = from_[b]) {
            const Label a = from_[b];
            if (a == outside_ && passed_[b] <= sizes_.least) return false;
            if (b == outside_ && passed_[a] >= sizes_.most) return false;
            if (a != outside_ && b != outside_ && labels_[via_[b]] != a) return false;
        }
        return excess(b) > 0;
    }

    void push_to(Label target) {
        for (Label b = target; from_[b] != kNoLabel; b = from_[b]) {
            const Label a = from_[b];
            if (a == outside_)
                pass(b, -1);
            else if (b == outside_)
                pass(a, 1);
            else
                move(via_[b], b);
        }
    }

    void pass(Label c, Index n) {
        passed_[c] += n;
        excess_outside_ += n;
    }

    // Lets every point join the clusters that would make the whole cheaper; false if there are none.
    bool price_in() {
        bool found = false;
        for (Index i = 0; i < n_; ++i) {
            costs_.row(i, row_.data());
            const Label c = cheapest(false);
            const double limit = own_[i] - price_[labels_[i]];
            const double rounding = kRounding * (own_[i] + row_[c] + std::abs(price_[c]) + std::abs(limit));
            if (!(row_[c] - price_[c] < limit - rounding) || find(i, c) != nullptr) continue;
            add(i, c);
            found = true;
        }
        return found;
    }

    // None of those that lack something can be reached: every point within reach gets a way out of it.
    void widen() {
        for (Index i = 0; i < n_; ++i) {
            if (distance_[labels_[i]] == kInfinity) continue;
            costs_.row(i, row_.data());
            add(i, cheapest(true));
        }
    }

    // The cheapest cluster by the row and the prices; `beyond` asks for those that were not reached alone.
    Label cheapest(bool beyond) const {
        Label best = kNoLabel;
        double least = kInfinity;
        for (Label c = 0; c < outside_; ++c) {
            if (beyond && distance_[c] < kInfinity) continue;
            if (best != kNoLabel && !(row_[c] - price_[c] < least)) continue;
            best = c;
            least = row_[c] - price_[c];
        }
        return best;
    }

    // A new candidate that is cheaper than all others takes the point at once: lengths stay non-negative.
    void add(Index i, Label c) {
        candidates_[i].push_back({row_[c], c});
        is_stale_[labels_[i]] = 1;
        if (row_[c] - price_[c] < own_[i] - price_[labels_[i]]) move(static_cast<std::int32_t>(i), c);
    }

    AssignmentCosts costs_;
    Index n_;
    Index k_;
    Label outside_;
    SizeLimits sizes_;
    std::vector<double>& price_;
    std::vector<double> row_;
    std::vector<Reached> order_;
    std::vector<std::vector<Candidate>> candidates_;
    std::vector<double> own_;  // what each point costs where it is
    std::vector<Label> labels_;
    std::vector<std::int32_t> position_;  // where a point stands in its member list
    std::vector<std::vector<std::int32_t>> members_;
    std::vector<std::vector<Arc>> arcs_;
    std::vector<char> is_stale_;  // whose arcs have to be found again
    std::vector<Best> best_;
    std::vector<Index> passed_;
    Index excess_outside_ = 0;
    std::vector<double> distance_;
    std::vector<Label> from_;
    std::vector<std::int32_t> via_;  // the point that moves on the way to each node
    std::priority_queue<Reached, std::vector<Reached>, std::greater<>> open_;
    std::vector<Label> lacking_;
};

}  // namespace

std::vector<Label> assign_within_sizes(const AssignmentCosts& costs, SizeLimits sizes,
                                       std::vector<double>& prices, const std::function<bool()>& is_late) {
    SizeFlow flow(costs, sizes, prices);
    return flow.solve(Listener(is_late)) ? flow.labels() : std::vector<Label>{};
}

}  // namespace intarsia
