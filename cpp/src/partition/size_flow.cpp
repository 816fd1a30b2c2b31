#include "intarsia/partition/size_flow.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "intarsia/common/error.hpp"
#include "intarsia/distance/distance.hpp"
#include "intarsia/partition/partition.hpp"

namespace intarsia {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Successive shortest paths. The nodes are the clusters and one node beyond them, "outside", that receives
// every point; cluster c passes `passed_[c]` of them on, between least and most. An arc from a to b is the
// member of a that changes to b at the least cost. With the prices no arc that can be used is shorter than
// nothing; what is out of balance is then pushed along shortest paths until nothing is.
class SizeFlow {
  public:
    // Any prices will do; those of a similar problem leave little to push.
    SizeFlow(MatrixView<const double> costs, SizeLimits sizes, std::vector<double>& prices)
        : costs_(costs),
          k_(costs.n_cols()),
          outside_(static_cast<Label>(costs.n_cols())),
          sizes_{sizes.least, std::min(sizes.most, costs.n_rows())},
          price_(prices),
          labels_(costs.n_rows()),
          members_(k_),
          arcs_(k_ * k_),
          passed_(k_),
          distance_(k_ + 1),
          from_(k_ + 1),
          settled_(k_ + 1) {
        for (Index i = 0; i < costs.n_rows(); ++i) {
            labels_[i] = cheapest(i);
            members_[labels_[i]].push_back(static_cast<std::int32_t>(i));
        }
        for (Label a = 0; a < outside_; ++a) {
            stale_.clear();
            for (Label b = 0; b < outside_; ++b)
                if (b != a) stale_.push_back(b);
            find_arcs(a);
        }
        excess_outside_ = -costs.n_rows();
        for (Label c = 0; c < outside_; ++c) {
            passed_[c] = due(c, size(c));
            excess_outside_ += passed_[c];
        }
    }

    std::vector<Label> solve() {
        for (Label v = 0; v <= outside_; ++v)
            while (excess(v) > 0) push(v);
        return std::move(labels_);
    }

  private:
    struct Arc {
        double cost = kInfinity;
        std::int32_t point = -1;
    };

    Index size(Label c) const { return static_cast<Index>(members_[c].size()); }
    Index excess(Label v) const { return v == outside_ ? excess_outside_ : size(v) - passed_[v]; }
    Arc& arc(Label a, Label b) { return arcs_[a * k_ + b]; }

    Label cheapest(Index i) const {
        const double* row = costs_.row(i);
        Label best = 0;
        for (Label c = 1; c < outside_; ++c)
            if (row[c] - price_[c] < row[best] - price_[best]) best = c;
        return best;
    }

    // What a cluster has to pass on at these prices.
    Index due(Label c, Index size) const {
        if (price_[c] < price_[outside_]) return sizes_.most;
        if (price_[c] > price_[outside_]) return sizes_.least;
        return std::clamp(size, sizes_.least, sizes_.most);
    }

    void offer(Label a, Label b, std::int32_t i) {
        const double cost = costs_(i, b) - costs_(i, a);
        Arc& best = arc(a, b);
        if (cost < best.cost || (cost == best.cost && i < best.point)) best = {cost, i};
    }

    // From a to all clusters in `stale_`, member by member: their costs stand together.
    void find_arcs(Label a) {
        for (Label b : stale_) arc(a, b) = {};
        for (std::int32_t i : members_[a])
            for (Label b : stale_) offer(a, b, i);
    }

    double length(Label a, Label b) {
        double cost = kInfinity;
        if (a == outside_) {
            if (passed_[b] > sizes_.least) cost = 0;
        } else if (b == outside_) {
            if (passed_[a] < sizes_.most) cost = 0;
        } else {
            cost = arc(a, b).cost;
        }
        return std::max(0.0, cost + price_[a] - price_[b]);
    }

    void push(Label source) {
        const Label target = find_path(source);
        steps_.clear();
        for (Label b = target; b != source; b = from_[b]) {
            const Label a = from_[b];
            if (a == outside_)
                pass(b, -1);
            else if (b == outside_)
                pass(a, 1);
            else
                steps_.emplace_back(arc(a, b).point, b);
        }
        for (const auto& [point, to] : steps_) move(point, to);
    }

    void pass(Label c, Index n) {
        passed_[c] += n;
        excess_outside_ += n;
    }

    // Dijkstra's algorithm to the nearest node that lacks something; the prices follow, so that lengths stay
    // non-negative.
    Label find_path(Label source) {
        std::fill(distance_.begin(), distance_.end(), kInfinity);
        std::fill(settled_.begin(), settled_.end(), 0);
        distance_[source] = 0;
        Label a = source;
        while (excess(a) >= 0) {
            settled_[a] = 1;
            for (Label b = 0; b <= outside_; ++b) {
                if (settled_[b]) continue;
                const double through = distance_[a] + length(a, b);
                if (through < distance_[b]) {
                    distance_[b] = through;
                    from_[b] = a;
                }
            }
            a = nearest_unsettled();
        }
        for (Label v = 0; v <= outside_; ++v) price_[v] += std::min(distance_[v], distance_[a]);
        return a;
    }

    Label nearest_unsettled() const {
        Label nearest = kNoLabel;
        for (Label v = 0; v <= outside_; ++v)
            if (!settled_[v] && (nearest == kNoLabel || distance_[v] < distance_[nearest])) nearest = v;
        if (nearest == kNoLabel || !(distance_[nearest] < kInfinity))
            throw InvalidInput("no assignment keeps the size limits");
        return nearest;
    }

    void move(std::int32_t i, Label to) {
        const Label from = labels_[i];
        auto& list = members_[from];
        list.erase(std::find(list.begin(), list.end(), i));
        members_[to].push_back(i);
        labels_[i] = to;
        stale_.clear();
        for (Label c = 0; c < outside_; ++c) {
            if (c != from && arc(from, c).point == i) stale_.push_back(c);
            if (c != to) offer(to, c, i);
        }
        find_arcs(from);
    }

    MatrixView<const double> costs_;
    Index k_;
    Label outside_;
    SizeLimits sizes_;
    std::vector<double>& price_;
    std::vector<Label> labels_;
    std::vector<std::vector<std::int32_t>> members_;
    std::vector<Arc> arcs_;
    std::vector<Index> passed_;
    Index excess_outside_ = 0;
    std::vector<double> distance_;
    std::vector<Label> from_;
    std::vector<char> settled_;
    std::vector<std::pair<std::int32_t, Label>> steps_;
    std::vector<Label> stale_;
};

void check_start(const WeightedPoints& points, MatrixView<const double> start) {
    check_points(points, points.n_points());
    if (start.n_cols() != points.n_dims())
        throw InvalidInput("centres have " + std::to_string(start.n_cols()) + " columns, the points " +
                           std::to_string(points.n_dims()) + ".");
    if (start.n_rows() < 1) throw InvalidInput("k-means needs at least one centre");
}

}  // namespace

std::vector<Label> assign_within_sizes(MatrixView<const double> costs, SizeLimits sizes,
                                       std::vector<double>& prices) {
    return SizeFlow(costs, sizes, prices).solve();
}

std::vector<Label> kmeans_within_sizes(const WeightedPoints& points, MatrixView<const double> start,
                                       SizeLimits sizes, Index max_flows,
                                       const std::function<bool()>& is_late) {
    check_start(points, start);
    const Index n = points.n_points();
    const Index d = points.n_dims();
    const Index k = start.n_rows();
    std::vector<double> centres(start.data(), start.data() + k * d);
    std::vector<double> costs(n * k);
    std::vector<Label> labels;
    std::vector<double> prices(k + 1, 0.0);
    double total = kInfinity;
    for (Index flow = 0; flow < max_flows; ++flow) {
        for (Index i = 0; i < n; ++i)
            for (Index c = 0; c < k; ++c)
                costs[i * k + c] =
                    points.weight(i) * squared_distance(points.row(i), centres.data() + c * d, d);
        std::vector<Label> found = assign_within_sizes({costs.data(), n, k}, sizes, prices);
        PartitionSummary summary = summarise(points, found, k);
        if (!(summary.total < total)) break;
        labels = std::move(found);
        centres = std::move(summary.centres);
        total = summary.total;
        if (is_late && is_late()) break;
    }
    return labels;
}

}  // namespace intarsia
