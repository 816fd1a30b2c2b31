#include "intarsia/neighbours/neighbours.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>

#include "intarsia/common/error.hpp"
#include "intarsia/common/parallel.hpp"

namespace intarsia {

namespace {

constexpr Index kTask = PointPanels::kBatch;

/// The queries of one task, in the order in which they are looked at.
struct Task {
    std::span<const Point> rows;
    std::vector<Query> queries;
};

Task make_task(MatrixView<const double> queries, std::span<const Point> rows, Index first_own) {
    Task task{rows, {}};
    task.queries.reserve(rows.size());
    for (Point q : rows)
        task.queries.push_back(
            {queries.row(q), first_own < 0 ? Point{-1} : static_cast<Point>(first_own + q)});
    return task;
}

/// Neighbours found by one task, query after query.
struct Found {
    std::vector<Index> counts;
    std::vector<Neighbour> neighbours;
};

void write_row(std::span<const Neighbour> from, TreeMetric metric, Point* ids, double* distances) {
    for (std::size_t i = 0; i < from.size(); ++i) {
        ids[i] = from[i].id;
        distances[i] = metric == TreeMetric::kSquaredEuclidean ? std::sqrt(from[i].squared) : from[i].squared;
    }
}

// Tasks give their memory back as soon as their rows are written: never much more than the answer is held.
NeighboursWithin gathered(const std::vector<Point>& order, std::vector<Found>& parts, TreeMetric metric) {
    NeighboursWithin result;
    result.offsets.assign(order.size() + 1, 0);
    std::size_t at = 0;
    for (const Found& part : parts)
        for (Index count : part.counts) result.offsets[order[at++] + 1] = count;
    for (std::size_t q = 0; q < order.size(); ++q) result.offsets[q + 1] += result.offsets[q];
    result.ids.resize(static_cast<std::size_t>(result.offsets.back()));
    result.distances.resize(result.ids.size());
    at = 0;
    for (Found& part : parts) {
        const Neighbour* from = part.neighbours.data();
        for (Index count : part.counts) {
            const Index to = result.offsets[order[at++]];
            write_row({from, static_cast<std::size_t>(count)}, metric, result.ids.data() + to,
                      result.distances.data() + to);
            from += count;
        }
        part = Found{};
    }
    return result;
}

}  // namespace

NeighbourIndex::NeighbourIndex(MatrixView<const double> x, int n_threads, TreeMetric metric)
    : x_(x), metric_(metric) {
    if (x.n_rows() < 1 || x.n_cols() < 1) throw InvalidInput("neighbours need at least one point.");
    if (x.n_rows() > std::numeric_limits<Point>::max())
        throw InvalidInput("neighbours among more than 2147483647 points are not supported.");
    if (x.n_cols() <= kTreeDims || metric != TreeMetric::kSquaredEuclidean)
        tree_ = std::make_unique<KdTree>(x, n_threads, metric);
    else
        panels_ = std::make_unique<PointPanels>(x);
}

void NeighbourIndex::check(MatrixView<const double> queries, Index first_own) const {
    if (queries.n_cols() != x_.n_cols())
        throw InvalidInput("queries have " + std::to_string(queries.n_cols()) + " features, should have " +
                           std::to_string(x_.n_cols()) + ".");
    if (queries.n_rows() > std::numeric_limits<Point>::max())
        throw InvalidInput("more than 2147483647 queries at once are not supported.");
    if (first_own < -1 || (first_own >= 0 && first_own + queries.n_rows() > n_points()))
        throw InvalidInput("queries that leave themselves out should be points of the index.");
}

// Points of the tree come leaf by leaf: what one query loads the next one needs.
std::vector<Point> NeighbourIndex::query_order(Index n_queries, Index first_own) const {
    std::vector<Point> order;
    order.reserve(static_cast<std::size_t>(n_queries));
    if (!tree_ || first_own < 0) {
        for (Index q = 0; q < n_queries; ++q) order.push_back(static_cast<Point>(q));
        return order;
    }
    for (Point id : tree_->order())
        if (id >= first_own && id < first_own + n_queries)
            order.push_back(static_cast<Point>(id - first_own));
    return order;
}

NearestNeighbours NeighbourIndex::nearest(MatrixView<const double> queries, Index k, Index first_own,
                                          int n_threads) const {
    check(queries, first_own);
    const Index most = n_points() - (first_own >= 0 ? 1 : 0);
    if (k < 1 || k > most)
        throw InvalidInput("k=" + std::to_string(k) + " neighbours should be between 1 and " +
                           std::to_string(most) + ".");
    const Index m = queries.n_rows();
    NearestNeighbours result;
    result.ids.resize(static_cast<std::size_t>(m * k));
    result.distances.resize(static_cast<std::size_t>(m * k));
    const auto order = query_order(m, first_own);
    for_chunks(
        m, n_threads,
        [&](Index begin, Index end) {
            const Task task = make_task(queries, {order.data() + begin, order.data() + end}, first_own);
            std::vector<NearestFew> found(tree_ ? 1 : task.rows.size(), NearestFew(k));
            if (panels_) panels_->nearest(task.queries, found);
            for (std::size_t t = 0; t < task.rows.size(); ++t) {
                NearestFew& few = found[tree_ ? 0 : t];
                if (tree_) {
                    few.clear();
                    tree_->nearest(task.queries[t].at, task.queries[t].left_out, few);
                }
                write_row(few.sorted(), metric_, result.ids.data() + task.rows[t] * k,
                          result.distances.data() + task.rows[t] * k);
            }
        },
        kTask);
    return result;
}

NeighboursWithin NeighbourIndex::within(MatrixView<const double> queries, double radius, Index first_own,
                                        int n_threads) const {
    check(queries, first_own);
    if (!(radius >= 0 && std::isfinite(radius))) throw InvalidInput("the radius should be finite and >= 0.");
    const double limit = metric_ == TreeMetric::kSquaredEuclidean ? radius * radius : radius;
    const Index m = queries.n_rows();
    const auto order = query_order(m, first_own);
    std::vector<Found> parts(static_cast<std::size_t>(n_chunks(m, kTask)));
    for_chunks(
        m, n_threads,
        [&](Index begin, Index end) {
            const Task task = make_task(queries, {order.data() + begin, order.data() + end}, first_own);
            std::vector<std::vector<Neighbour>> found(task.rows.size());
            if (panels_) panels_->within(task.queries, limit, found);
            Found& part = parts[begin / kTask];
            for (std::size_t t = 0; t < task.rows.size(); ++t) {
                if (tree_) tree_->within(task.queries[t].at, task.queries[t].left_out, limit, found[t]);
                std::sort(found[t].begin(), found[t].end(),
                          [](const Neighbour& a, const Neighbour& b) { return a.id < b.id; });
                part.counts.push_back(static_cast<Index>(found[t].size()));
                part.neighbours.insert(part.neighbours.end(), found[t].begin(), found[t].end());
                std::vector<Neighbour>().swap(found[t]);
            }
        },
        kTask);
    return gathered(order, parts, metric_);
}

}  // namespace intarsia
