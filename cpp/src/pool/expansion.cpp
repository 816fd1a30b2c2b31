#include "intarsia/pool/expansion.hpp"

#include <algorithm>
#include <string>

#include "intarsia/common/error.hpp"
#include "intarsia/common/label_groups.hpp"
#include "intarsia/common/parallel.hpp"
#include "intarsia/distance/distance.hpp"

namespace intarsia {

namespace {

constexpr Index kClustersAThread = 4;  // expanded before their columns join the pool
// For so many points more and less there is room in the pool at once; a large tau makes fewer columns than it
// says.
constexpr Index kTauWithRoom = 16;

struct Near {
    double distance;
    Point point;

    bool operator<(const Near& other) const {
        return distance != other.distance ? distance < other.distance : point < other.point;
    }
};

struct NewColumn {
    std::vector<Point> members;
    double cost;
};

/// The tau nearest non-members, nearest first: a short sorted list, as nearly every point fails its last
/// entry.
std::vector<Near> nearest_outside(const WeightedPoints& points, std::span<const Label> labels, Index cluster,
                                  std::span<const double> centre, Index tau) {
    std::vector<Near> nearest;
    if (tau == 0) return nearest;
    const Index d = points.x.n_cols();
    for (Point i = 0; i < points.x.n_rows(); ++i) {
        if (labels[static_cast<std::size_t>(i)] == cluster) continue;
        const Near candidate{squared_distance(points.x.row(i), centre.data(), d), i};
        if (std::ssize(nearest) == tau && !(candidate < nearest.back())) continue;
        if (std::ssize(nearest) == tau) nearest.pop_back();
        nearest.insert(std::upper_bound(nearest.begin(), nearest.end(), candidate), candidate);
    }
    return nearest;
}

/// The tau farthest members, farthest first, ties to the lower point.
std::vector<Near> farthest_inside(const WeightedPoints& points, std::span<const Point> members,
                                  std::span<const double> centre, Index tau) {
    std::vector<Near> all;
    const Index d = points.x.n_cols();
    for (Point i : members) all.push_back({-squared_distance(points.x.row(i), centre.data(), d), i});
    const auto count = std::min<Index>(tau, std::ssize(all));
    std::partial_sort(all.begin(), all.begin() + count, all.end());
    all.resize(static_cast<std::size_t>(count));
    return all;
}

class Expander {
  public:
    Expander(const ColumnPool& pool, const WeightedPoints& points, std::span<const Label> labels, Index tau,
             const SizeLimits& sizes)
        : pool_(pool), points_(points), labels_(labels), tau_(tau), sizes_(sizes) {}

    /// The columns around one cluster that the pool does not hold yet.
    std::vector<NewColumn> expand(Index cluster, std::span<const Point> members) const {
        std::vector<NewColumn> found;
        if (members.empty()) return found;
        std::vector<double> centre(static_cast<std::size_t>(points_.x.n_cols()));
        column_mean(points_, members, centre);
        keep_if_new({members.begin(), members.end()}, found);
        grow(cluster, members, centre, found);
        shrink(members, centre, found);
        return found;
    }

  private:
    void grow(Index cluster, std::span<const Point> members, std::span<const double> centre,
              std::vector<NewColumn>& found) const {
        std::vector<Point> column(members.begin(), members.end());
        for (const Near& near : nearest_outside(points_, labels_, cluster, centre, tau_)) {
            column.insert(std::upper_bound(column.begin(), column.end(), near.point), near.point);
            keep_if_new(column, found);
        }
    }

    void shrink(std::span<const Point> members, std::span<const double> centre,
                std::vector<NewColumn>& found) const {
        std::vector<Point> column(members.begin(), members.end());
        for (const Near& far : farthest_inside(points_, members, centre, tau_)) {
            column.erase(std::lower_bound(column.begin(), column.end(), far.point));
            keep_if_new(column, found);
        }
    }

    void keep_if_new(const std::vector<Point>& column, std::vector<NewColumn>& found) const {
        if (!sizes_.allow(std::ssize(column)) || pool_.find(column) != ColumnPool::kAbsent) return;
        found.push_back({column, column_sse(points_, column)});
    }

    const ColumnPool& pool_;
    const WeightedPoints& points_;
    std::span<const Label> labels_;
    Index tau_;
    SizeLimits sizes_;
};

}  // namespace

Index expand_partition(ColumnPool& pool, const WeightedPoints& points, std::span<const Label> labels, Index k,
                       Index tau, const SizeLimits& sizes, std::int32_t origin, int n_threads) {
    check_points(points, pool.n_points());
    if (static_cast<Index>(labels.size()) != pool.n_points()) {
        throw InvalidInput("labels should have one entry for each point of the pool.");
    }
    if (tau < 0) throw InvalidInput("tau=" + std::to_string(tau) + " should be >= 0.");
    const Groups groups = group_labels(labels, k);
    const Expander expander(pool, points, labels, tau, sizes);
    const Index before = pool.size();
    // Growing step by step would hold it twice.
    pool.reserve((2 * std::min(tau, kTauWithRoom) + 1) * points.n_points());
    // Some clusters at a time: all their columns together would be twice tau times the points.
    const Index at_once = kClustersAThread * std::max(1, n_threads);
    for (Index begin = 0; begin < k; begin += at_once) {
        // The pool is only read while clusters expand in parallel; columns join afterwards in cluster order.
        std::vector<std::vector<NewColumn>> found(static_cast<std::size_t>(std::min(at_once, k - begin)));
        parallel_for(std::ssize(found), n_threads, [&](Index c) {
            found[static_cast<std::size_t>(c)] = expander.expand(begin + c, groups[begin + c]);
        });
        for (const auto& columns : found) {
            for (const NewColumn& column : columns) pool.add(column.members, column.cost, origin);
        }
    }
    return pool.size() - before;
}

}  // namespace intarsia
