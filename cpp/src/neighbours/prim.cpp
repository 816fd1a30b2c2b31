#include <array>
#include <bit>
#include <limits>
#include <utility>

#include "intarsia/common/parallel.hpp"
#include "intarsia/common/parts.hpp"
#include "intarsia/distance/kernels.hpp"
#include "intarsia/neighbours/spanning_tree.hpp"

namespace intarsia {

namespace {

constexpr Index kBlocksPerTask = 32;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The points that are not yet in the tree, in blocks stored by dimension, each with its shortest edge to the
/// tree.
class PointsLeft {
  public:
    /// All points but the first.
    explicit PointsLeft(MatrixView<const double> x) : x_(x), size_(x.n_rows() - 1) {
        const Index n_blocks = n_chunks(size_, kLeaf);
        blocks_.assign(static_cast<std::size_t>(n_blocks * kLeaf * x.n_cols()), 0.0);
        ids_.resize(static_cast<std::size_t>(n_blocks * kLeaf));
        from_.resize(ids_.size());
        // nothing is nearer than the padding's edge
        squared_.assign(ids_.size(), -1.0);
        least_.assign(static_cast<std::size_t>(n_blocks), kInfinity);
        for (Index i = 0; i < size_; ++i) place(i, static_cast<Point>(i + 1), kInfinity, 0);
    }

    Index size() const { return size_; }

    /// The tree has a new point: edges to it may be shorter.
    void relax(Point added, int n_threads) {
        for_chunks(
            n_chunks(size_, kLeaf), useful_threads(size_ * x_.n_cols(), n_threads),
            [&](Index begin, Index end) {
                for (Index b = begin; b < end; ++b) relax_block(b, added);
            },
            kBlocksPerTask);
    }

    /// Takes the point with the shortest edge out; returns the edge and the point.
    std::pair<TreeEdge, Point> take_nearest() {
        const double least = *std::min_element(least_.begin(), least_.begin() + n_chunks(size_, kLeaf));
        Index nearest = -1;
        for (Index b = 0; b < n_chunks(size_, kLeaf); ++b)
            if (least_[b] == least)
                for (Index i = b * kLeaf; i < std::min(size_, (b + 1) * kLeaf); ++i)
                    if (squared_[i] == least && (nearest < 0 || edge(i) < edge(nearest))) nearest = i;
        const std::pair<TreeEdge, Point> taken{edge(nearest), ids_[nearest]};
        remove(nearest);
        return taken;
    }

  private:
    TreeEdge edge(Index i) const { return edge_between(squared_[i], from_[i], ids_[i]); }

    void place(Index i, Point id, double squared, Point from) {
        double* to = blocks_.data() + i / kLeaf * kLeaf * x_.n_cols() + i % kLeaf;
        for (Index j = 0; j < x_.n_cols(); ++j) to[j * kLeaf] = x_(id, j);
        ids_[i] = id;
        squared_[i] = squared;
        from_[i] = from;
    }

    void remove(Index i) {
        const Index last = --size_;
        if (i != last) place(i, ids_[last], squared_[last], from_[last]);
        squared_[last] = -1.0;
        renew_least(i / kLeaf);
        renew_least(last / kLeaf);
    }

    void renew_least(Index block) {
        const auto begin = squared_.begin() + block * kLeaf;
        const auto end = squared_.begin() + std::min(size_, (block + 1) * kLeaf);
        least_[block] = begin < end ? *std::min_element(begin, end) : kInfinity;
    }

    void relax_block(Index block, Point added) {
        std::array<double, kLeaf> squared;
        double* known = squared_.data() + block * kLeaf;
        unsigned bits = kernels<double>().closer(
            x_.row(added), x_.n_cols(), blocks_.data() + block * kLeaf * x_.n_cols(), known, squared.data());
        if (bits == 0) return;
        for (; bits != 0; bits &= bits - 1) {
            const int lane = std::countr_zero(bits);
            Point& from = from_[block * kLeaf + lane];
            if (squared[lane] < known[lane] || added < from) from = added;
            known[lane] = squared[lane];
        }
        renew_least(block);
    }

    MatrixView<const double> x_;
    Index size_;
    std::vector<double> blocks_;
    std::vector<Point> ids_;
    std::vector<double> squared_;
    std::vector<Point> from_;
    std::vector<double> least_;  // of each block
};

}  // namespace

std::vector<TreeEdge> prim_edges(MatrixView<const double> x, int n_threads) {
    std::vector<TreeEdge> edges;
    edges.reserve(static_cast<std::size_t>(x.n_rows()));
    PointsLeft left(x);
    for (Point added = 0; left.size() > 0;) {
        left.relax(added, n_threads);
        const auto [edge, next] = left.take_nearest();
        edges.push_back(edge);
        added = next;
    }
    return edges;
}

}  // namespace intarsia
