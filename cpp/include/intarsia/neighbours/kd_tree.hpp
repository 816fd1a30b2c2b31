#pragma once

#include <array>
#include <bit>
#include <vector>

#include "intarsia/common/types.hpp"
#include "intarsia/distance/kernels.hpp"
#include "intarsia/neighbours/nearest_few.hpp"

namespace intarsia {

/// Points split by medians into leaves of kLeaf, and boxes around the leaves, around kBoxes of these boxes,
/// and so on up to one group of boxes. Copies the points; the boxes add about a sixth.
class KdTree {
  public:
    KdTree(MatrixView<const double> x, int n_threads, TreeMetric metric = TreeMetric::kSquaredEuclidean);

    /// Shows the visitor whoever may be wanted, nearest boxes first: take(neighbour) for the points that do
    /// not come after last(), which may move closer meanwhile, except those in boxes that it skips(height,
    /// box).
    template <class Visitor>
    void visit(const double* query, Visitor& visitor) const {
        visit(static_cast<Index>(levels_.size()) - 1, 0, query, visitor);
    }

    /// Offers all points that may be among the nearest of `query`, but not point `left_out`.
    void nearest(const double* query, Point left_out, NearestFew& found) const;

    /// Appends all points but `left_out` whose distance to `query`, as the metric gives it, is at most
    /// `limit`, in any order.
    void within(const double* query, Point left_out, double limit, std::vector<Neighbour>& found) const;

    /// The points in the order of the leaves (kLeaf each): neighbours in this list are near each other.
    const std::vector<Point>& order() const { return order_; }

    /// Boxes lie in levels: box b of level 0 is around leaf b, of level l around kBoxes boxes of level l - 1.
    Index n_levels() const { return static_cast<Index>(levels_.size()); }
    Index n_boxes(Index height) const { return levels_[height].n_boxes; }

  private:
    /// Boxes of one height; the children of box b of level l are the boxes (at l = 0: the points) of group b
    /// of level l - 1 (of leaf b).
    struct Level {
        Index n_boxes = 0;
        std::vector<double> bounds;  // group g: [dim][lower kBoxes, upper kBoxes]
        std::vector<Point> first;    // the lowest point number inside each box
    };

    void split(MatrixView<const double> x, int n_threads);
    void fill_leaves(MatrixView<const double> x, int n_threads);
    void add_level(int n_threads);
    template <class Visitor>
    void visit(Index height, Index group, const double* query, Visitor& visitor) const;
    unsigned box_bits(Index height, Index group, const double* query, double limit, double* squared) const;
    unsigned leaf_bits(Index leaf, const double* query, double limit, double* squared) const;

    const TreeKernels<double>& kernels_;
    Index n_points_;
    Index n_dims_;
    std::vector<Point> order_;
    std::vector<double> leaves_;  // leaf l: [dim][kLeaf]; the last is padded
    std::vector<Level> levels_;
};

namespace detail {

/// A box that may hold somebody, and the first neighbour that could be inside.
struct BoxInReach {
    Neighbour first;
    Index box;
};

}  // namespace detail

template <class Visitor>
void KdTree::visit(Index height, Index group, const double* query, Visitor& visitor) const {
    std::array<double, kBoxes> squared;
    std::array<detail::BoxInReach, kBoxes> boxes;
    Index n = 0;
    for (unsigned bits = box_bits(height, group, query, visitor.last().squared, squared.data()); bits != 0;
         bits &= bits - 1) {
        const Index b = std::countr_zero(bits), box = group * kBoxes + b;
        if (visitor.skips(height, box)) continue;
        const Neighbour first{squared[b], levels_[height].first[box]};
        Index at = n++;
        for (; at > 0 && first < boxes[at - 1].first; --at) boxes[at] = boxes[at - 1];
        boxes[at] = {first, box};
    }
    for (Index c = 0; c < n && boxes[c].first < visitor.last(); ++c) {
        const Index box = boxes[c].box;
        if (height > 0) {
            visit(height - 1, box, query, visitor);
            continue;
        }
        std::array<double, kLeaf> distance;
        for (unsigned bits = leaf_bits(box, query, visitor.last().squared, distance.data()); bits != 0;
             bits &= bits - 1) {
            const Index i = std::countr_zero(bits);
            visitor.take(Neighbour{distance[i], order_[box * kLeaf + i]});
        }
    }
}

}  // namespace intarsia
