#include <algorithm>
#include <utility>

#include "intarsia/common/error.hpp"
#include "intarsia/common/label_groups.hpp"
#include "intarsia/common/parallel.hpp"
#include "intarsia/criteria/entropy_pool.hpp"

namespace intarsia {

namespace {

struct Candidate {
    double cost;
    Point point;

    bool operator<(const Candidate& other) const {
        return cost != other.cost ? cost < other.cost : point < other.point;
    }
};

struct NewColumn {
    std::vector<Point> members;
    double cost;
};

void keep_first(std::vector<Candidate>& candidates, Index tau) {
    const Index n = std::min<Index>(tau, std::ssize(candidates));
    std::partial_sort(candidates.begin(), candidates.begin() + n, candidates.end());
    candidates.resize(static_cast<std::size_t>(n));
}

/// One cluster, and how many neighbours of each point it holds.
class Expander {
  public:
    Expander(const ColumnPool& pool, const StructuralEntropy& entropy, std::span<const Label> labels,
             const SizeLimits& sizes)
        : pool_(pool), entropy_(entropy), labels_(labels), sizes_(sizes) {}

    /// The columns around the cluster that the pool does not hold yet.
    std::vector<NewColumn> expand(Label c, std::span<const Point> members, Index tau) const {
        std::vector<NewColumn> found;
        if (members.empty()) return found;
        std::vector<Point> counts(labels_.size(), 0);
        for (Point j : members)
            for (Point i : entropy_.neighbourhoods().holders(j)) ++counts[i];
        keep_if_new({members.begin(), members.end()}, found);
        std::vector<Point> column(members.begin(), members.end());
        for (const Candidate& near : cheapest_outside(c, counts, tau)) {
            column.insert(std::ranges::upper_bound(column, near.point), near.point);
            keep_if_new(column, found);
        }
        column.assign(members.begin(), members.end());
        for (const Candidate& far : dearest_inside(members, counts, tau)) {
            column.erase(std::ranges::lower_bound(column, far.point));
            if (!column.empty()) keep_if_new(column, found);
        }
        return found;
    }

  private:
    std::vector<Candidate> cheapest_outside(Label c, std::span<const Point> counts, Index tau) const {
        std::vector<double> costs;
        for (Point j = 0; j < entropy_.n_points(); ++j) costs.push_back(entropy_.far_step(j));
        for (Point i = 0; i < entropy_.n_points(); ++i) {
            if (counts[i] == 0 || counts[i] == std::ssize(entropy_.neighbourhoods().around(i))) continue;
            const double relief = entropy_.step(i, counts[i]) - entropy_.step(i, 0);
            for (Point j : entropy_.neighbourhoods().around(i)) costs[j] += relief;
        }
        std::vector<Candidate> candidates;
        for (Point j = 0; j < entropy_.n_points(); ++j)
            if (labels_[j] != c) candidates.push_back({costs[j], j});
        keep_first(candidates, tau);
        return candidates;
    }

    std::vector<Candidate> dearest_inside(std::span<const Point> members, std::span<const Point> counts,
                                          Index tau) const {
        std::vector<Candidate> candidates;
        for (Point j : members) {
            double cost = 0;
            for (Point i : entropy_.neighbourhoods().holders(j)) cost += entropy_.step(i, counts[i] - 1);
            candidates.push_back({-cost, j});
        }
        keep_first(candidates, tau);
        return candidates;
    }

    void keep_if_new(const std::vector<Point>& column, std::vector<NewColumn>& found) const {
        if (!sizes_.allow(std::ssize(column)) || pool_.find(column) != ColumnPool::kAbsent) return;
        found.push_back({column, entropy_.cost(column)});
    }

    const ColumnPool& pool_;
    const StructuralEntropy& entropy_;
    std::span<const Label> labels_;
    SizeLimits sizes_;
};

}  // namespace

void expand_entropy_partition(ColumnPool& pool, const StructuralEntropy& entropy,
                              std::span<const Label> labels, Index k, Index tau, const SizeLimits& sizes,
                              std::int32_t origin, int n_threads) {
    check_labels(labels, entropy.n_points(), k);
    if (tau < 0 || pool.n_points() != entropy.n_points())
        throw InvalidInput("tau should be >= 0, and the pool of as many points as the neighbourhoods.");
    const Groups groups = group_labels(labels, k);
    const Expander expander(pool, entropy, labels, sizes);
    // The pool is only read while clusters expand in parallel; columns join afterwards in cluster order.
    std::vector<std::vector<NewColumn>> found(static_cast<std::size_t>(k));
    parallel_for(k, n_threads,
                 [&](Index c) { found[c] = expander.expand(static_cast<Label>(c), groups[c], tau); });
    for (const auto& columns : found)
        for (const NewColumn& column : columns) pool.add(column.members, column.cost, origin);
}

}  // namespace intarsia
