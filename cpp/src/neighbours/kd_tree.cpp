#include "intarsia/neighbours/kd_tree.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "intarsia/common/parallel.hpp"

namespace intarsia {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Index kLeavesPerTask = 32;

/// A run of the order that becomes one or several leaves.
struct Run {
    Index begin, end;

    Index size() const { return end - begin; }
};

Index n_leaves(Index n_points) { return (n_points + kLeaf - 1) / kLeaf; }

Index widest_dimension(MatrixView<const double> x, const Point* ids, Index n) {
    const Index d = x.n_cols();
    std::vector<double> low(x.row(ids[0]), x.row(ids[0]) + d), high = low;
    for (Index i = 1; i < n; ++i) {
        const double* row = x.row(ids[i]);
        for (Index j = 0; j < d; ++j) {
            low[j] = std::min(low[j], row[j]);
            high[j] = std::max(high[j], row[j]);
        }
    }
    Index widest = 0;
    for (Index j = 1; j < d; ++j)
        if (high[j] - low[j] > high[widest] - low[widest]) widest = j;
    return widest;
}

// A power of two of full leaves on the left: then kBoxes leaves in a row are one subtree, and so are kBoxes
// of these. Equal values are split by number, so that copies of a point are found by their numbers.
Index split_run(MatrixView<const double> x, Point* ids, Index n) {
    const Index at = static_cast<Index>(std::bit_ceil(static_cast<std::uint64_t>(n_leaves(n))) / 2) * kLeaf;
    const Index j = widest_dimension(x, ids, n);
    std::vector<std::pair<double, Point>> keys(static_cast<std::size_t>(n));
    for (Index i = 0; i < n; ++i) keys[i] = {x(ids[i], j), ids[i]};
    std::nth_element(keys.begin(), keys.begin() + at, keys.end());
    for (Index i = 0; i < n; ++i) ids[i] = keys[i].second;
    return at;
}

/// Offers all but one point.
struct NearestVisitor {
    NearestFew& found;
    Point left_out;

    const Neighbour& last() const { return found.last(); }
    bool skips(Index, Index) const { return false; }
    void take(Neighbour neighbour) {
        if (neighbour.id != left_out) found.offer(neighbour);
    }
};

/// Keeps all but one of the points up to a fixed limit.
struct WithinVisitor {
    Neighbour limit;
    Point left_out;
    std::vector<Neighbour>& found;

    const Neighbour& last() const { return limit; }
    bool skips(Index, Index) const { return false; }
    void take(Neighbour neighbour) {
        if (neighbour.id != left_out) found.push_back(neighbour);
    }
};

}  // namespace

KdTree::KdTree(MatrixView<const double> x, int n_threads, TreeMetric metric)
    : kernels_(kernels<double>().tree[static_cast<int>(metric)]), n_points_(x.n_rows()), n_dims_(x.n_cols()) {
    split(x, n_threads);
    fill_leaves(x, n_threads);
    while (levels_.back().n_boxes > kBoxes) add_level(n_threads);
}

void KdTree::split(MatrixView<const double> x, int n_threads) {
    order_.resize(static_cast<std::size_t>(n_points_));
    for (Index i = 0; i < n_points_; ++i) order_[i] = static_cast<Point>(i);
    std::vector<Run> runs{{0, n_points_}}, parts;
    while (!runs.empty()) {
        parts.assign(2 * runs.size(), {0, 0});
        parallel_for(static_cast<Index>(runs.size()), n_threads, [&](Index r) {
            const auto [begin, end] = runs[r];
            if (end - begin <= kLeaf) return;
            const Index at = begin + split_run(x, order_.data() + begin, end - begin);
            parts[2 * r] = {begin, at};
            parts[2 * r + 1] = {at, end};
        });
        std::erase_if(parts, [](const Run& run) { return run.size() <= kLeaf; });
        runs.swap(parts);
    }
}

void KdTree::fill_leaves(MatrixView<const double> x, int n_threads) {
    const Index count = n_leaves(n_points_);
    const Index n_groups = n_chunks(count, kBoxes);
    Level& level = levels_.emplace_back();
    level.n_boxes = count;
    level.bounds.assign(static_cast<std::size_t>(n_groups * n_dims_ * 2 * kBoxes), kInfinity);
    level.first.assign(static_cast<std::size_t>(n_groups * kBoxes), std::numeric_limits<Point>::max());
    leaves_.assign(static_cast<std::size_t>(count * kLeaf * n_dims_), kInfinity);
    for_chunks(
        count, n_threads,
        [&](Index begin, Index end) {
            for (Index l = begin; l < end; ++l) {
                Point* ids = order_.data() + l * kLeaf;
                const Index n = std::min(kLeaf, n_points_ - l * kLeaf);
                std::sort(ids, ids + n);
                level.first[l] = ids[0];
                for (Index j = 0; j < n_dims_; ++j) {
                    double* to = leaves_.data() + (l * n_dims_ + j) * kLeaf;
                    for (Index i = 0; i < n; ++i) to[i] = x(ids[i], j);
                    double* box = level.bounds.data() + (l / kBoxes * n_dims_ + j) * 2 * kBoxes + l % kBoxes;
                    box[0] = *std::min_element(to, to + n);
                    box[kBoxes] = *std::max_element(to, to + n);
                }
            }
        },
        kLeavesPerTask);
}

void KdTree::add_level(int n_threads) {
    const Level& below = levels_.back();
    Level level;
    level.n_boxes = n_chunks(below.n_boxes, kBoxes);
    const Index n_groups = n_chunks(level.n_boxes, kBoxes);
    level.bounds.assign(static_cast<std::size_t>(n_groups * n_dims_ * 2 * kBoxes), kInfinity);
    level.first.assign(static_cast<std::size_t>(n_groups * kBoxes), std::numeric_limits<Point>::max());
    for_chunks(
        level.n_boxes, n_threads,
        [&](Index begin, Index end) {
            for (Index b = begin; b < end; ++b) {
                const Index n = std::min(kBoxes, below.n_boxes - b * kBoxes);
                const Point* first = below.first.data() + b * kBoxes;
                level.first[b] = *std::min_element(first, first + n);
                for (Index j = 0; j < n_dims_; ++j) {
                    const double* from = below.bounds.data() + (b * n_dims_ + j) * 2 * kBoxes;
                    double* box = level.bounds.data() + (b / kBoxes * n_dims_ + j) * 2 * kBoxes + b % kBoxes;
                    box[0] = *std::min_element(from, from + n);
                    box[kBoxes] = *std::max_element(from + kBoxes, from + kBoxes + n);
                }
            }
        },
        kLeavesPerTask);
    levels_.push_back(std::move(level));
}

void KdTree::nearest(const double* query, Point left_out, NearestFew& found) const {
    NearestVisitor visitor{found, left_out};
    visit(query, visitor);
}

unsigned KdTree::box_bits(Index height, Index group, const double* query, double limit,
                          double* squared) const {
    const Level& level = levels_[height];
    const unsigned there = (1u << std::min(kBoxes, level.n_boxes - group * kBoxes)) - 1;
    const double* bounds = level.bounds.data() + group * n_dims_ * 2 * kBoxes;
    return there & kernels_.boxes(query, n_dims_, bounds, limit, squared);
}

unsigned KdTree::leaf_bits(Index leaf, const double* query, double limit, double* squared) const {
    const unsigned there = (1u << std::min(kLeaf, n_points_ - leaf * kLeaf)) - 1;
    return there & kernels_.leaf(query, n_dims_, leaves_.data() + leaf * n_dims_ * kLeaf, limit, squared);
}

void KdTree::within(const double* query, Point left_out, double limit, std::vector<Neighbour>& found) const {
    WithinVisitor visitor{{limit, kNobody.id}, left_out, found};
    visit(query, visitor);
}

}  // namespace intarsia
