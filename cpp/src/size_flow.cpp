#include "intarsia/size_flow.hpp"

#include <algorithm>
#include <limits>

#include "intarsia/distance.hpp"
#include "intarsia/error.hpp"
#include "intarsia/partition.hpp"

namespace intarsia {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Successive shortest paths. The nodes are the clusters and one node beyond them, "outside", that receives
// every point: a cluster may pass it between least and most. An arc from a to b is the member of a that
// changes to b at the least cost.
class SizeFlow {
  public:
    SizeFlow(MatrixView<const double> costs, SizeBounds sizes)
        : costs_(costs),
          k_(costs.n_cols()),
          outside_(static_cast<Label>(costs.n_cols())),
          sizes_(sizes),
          labels_(costs.n_rows()),
          members_(k_),
          arcs_(k_ * k_),
          price_(k_ + 1, 0.0),
          distance_(k_ + 1),
          from_(k_ + 1),
          settled_(k_ + 1) {
        for (Index i = 0; i < costs.n_rows(); ++i) {
            const double* row = costs.row(i);
            labels_[i] = static_cast<Label>(std::min_element(row, row + k_) - row);
            members_[labels_[i]].push_back(static_cast<std::int32_t>(i));
        }
        for (Label a = 0; a < outside_; ++a)
            for (Label b = 0; b < outside_; ++b)
                if (a != b) find_arc(a, b);
    }

    std::vector<Label> solve() {
        for (Label c = 0; c < outside_; ++c)
            while (size(c) > sizes_.max) push(c, outside_);
        filling_ = true;
        for (Label c = 0; c < outside_; ++c)
            while (size(c) < sizes_.min) push(outside_, c);
        return std::move(labels_);
    }

  private:
    struct Arc {
        double cost = kInfinity;
        std::int32_t point = -1;
    };

    Index size(Label c) const { return static_cast<Index>(members_[c].size()); }
    Arc& arc(Label a, Label b) { return arcs_[a * k_ + b]; }

    void offer(Label a, Label b, std::int32_t i) {
        const double cost = costs_(i, b) - costs_(i, a);
        Arc& best = arc(a, b);
        if (cost < best.cost || (cost == best.cost && i < best.point)) best = {cost, i};
    }

    void find_arc(Label a, Label b) {
        arc(a, b) = {};
        for (std::int32_t i : members_[a]) offer(a, b, i);
    }

    // What one point on its way from a to b costs, priced so that it is never negative.
    double length(Label a, Label b) {
        double cost = kInfinity;
        if (a == outside_) {
            if (filling_ && size(b) > sizes_.min) cost = 0;
        } else if (b == outside_) {
            if (size(a) < sizes_.max) cost = 0;
        } else {
            cost = arc(a, b).cost;
        }
        return std::max(0.0, cost + price_[a] - price_[b]);
    }

    void push(Label source, Label target) {
        find_path(source, target);
        steps_.clear();
        for (Label b = target; b != source; b = from_[b])
            if (b != outside_ && from_[b] != outside_) steps_.emplace_back(arc(from_[b], b).point, b);
        for (const auto& [point, to] : steps_) move(point, to);
    }

    // Dijkstra's algorithm on the dense graph; the prices follow, so that lengths stay non-negative.
    void find_path(Label source, Label target) {
        std::fill(distance_.begin(), distance_.end(), kInfinity);
        std::fill(settled_.begin(), settled_.end(), 0);
        distance_[source] = 0;
        while (!settled_[target]) {
            Label a = kNoLabel;
            for (Label v = 0; v <= outside_; ++v)
                if (!settled_[v] && (a == kNoLabel || distance_[v] < distance_[a])) a = v;
            if (!(distance_[a] < kInfinity)) throw InvalidInput("no assignment keeps the size bounds");
            settled_[a] = 1;
            for (Label b = 0; b <= outside_; ++b) {
                if (settled_[b]) continue;
                const double through = distance_[a] + length(a, b);
                if (through < distance_[b]) {
                    distance_[b] = through;
                    from_[b] = a;
                }
            }
        }
        for (Label v = 0; v <= outside_; ++v) price_[v] += std::min(distance_[v], distance_[target]);
    }

    void move(std::int32_t i, Label to) {
        const Label from = labels_[i];
        auto& list = members_[from];
        list.erase(std::find(list.begin(), list.end(), i));
        members_[to].push_back(i);
        labels_[i] = to;
        for (Label c = 0; c < outside_; ++c) {
            if (c != from && arc(from, c).point == i) find_arc(from, c);
            if (c != to) offer(to, c, i);
        }
    }

    MatrixView<const double> costs_;
    Index k_;
    Label outside_;
    SizeBounds sizes_;
    bool filling_ = false;  // the lower bounds count only once the upper ones are kept
    std::vector<Label> labels_;
    std::vector<std::vector<std::int32_t>> members_;
    std::vector<Arc> arcs_;
    std::vector<double> price_, distance_;
    std::vector<Label> from_;
    std::vector<char> settled_;
    std::vector<std::pair<std::int32_t, Label>> steps_;
};

}  // namespace

std::vector<Label> assign_within_sizes(MatrixView<const double> costs, SizeBounds sizes) {
    return SizeFlow(costs, sizes).solve();
}

std::vector<Label> kmeans_within_sizes(const WeightedPoints& points, std::vector<double> centres, Index k,
                                       SizeBounds sizes, Index max_flows) {
    const Index n = points.x.n_rows();
    const Index d = points.x.n_cols();
    std::vector<double> costs(n * k);
    std::vector<Label> labels;
    double total = kInfinity;
    for (Index flow = 0; flow < max_flows; ++flow) {
        for (Index i = 0; i < n; ++i)
            for (Index c = 0; c < k; ++c)
                costs[i * k + c] = points.weight(static_cast<Point>(i)) *
                                   squared_distance(points.x.row(i), centres.data() + c * d, d);
        std::vector<Label> found = assign_within_sizes({costs.data(), n, k}, sizes);
        PartitionSummary summary = summarise(points.x, points.weights, found, k);
        if (!(summary.total < total)) break;
        labels = std::move(found);
        centres = std::move(summary.centres);
        total = summary.total;
    }
    return labels;
}

}  // namespace intarsia
