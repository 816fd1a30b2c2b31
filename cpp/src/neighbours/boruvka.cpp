#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "intarsia/common/disjoint_sets.hpp"
#include "intarsia/common/parallel.hpp"
#include "intarsia/neighbours/kd_tree.hpp"
#include "intarsia/neighbours/spanning_tree.hpp"

namespace intarsia {

namespace {

constexpr Index kTask = 128;  // points in a row of the tree's order: they share the edge of their component
constexpr Point kMixed = -1;
constexpr TreeEdge kNoEdge{std::numeric_limits<double>::infinity(), std::numeric_limits<Point>::max(),
                           std::numeric_limits<Point>::max()};

/// The shortest edge that leaves a component, as far as one task knows.
struct Leaving {
    Point component;
    TreeEdge edge;
};

/// Finds the first neighbour outside a component.
struct ForeignVisitor {
    const std::vector<Point>& component_of;
    const std::vector<std::vector<Point>>& box_component;
    Point own;
    Neighbour found;

    const Neighbour& last() const { return found; }
    bool skips(Index height, Index box) const { return box_component[height][box] == own; }
    void take(Neighbour neighbour) {
        if (component_of[neighbour.id] != own && neighbour < found) found = neighbour;
    }
};

class Boruvka {
  public:
    Boruvka(MatrixView<const double> x, int n_threads)
        : x_(x), n_threads_(n_threads), tree_(x, n_threads), sets_(x.n_rows()) {
        const auto n = static_cast<std::size_t>(x.n_rows());
        component_.resize(n);
        nearest_.assign(n, {0.0, kMixed});
        shortest_.resize(n);
        box_component_.resize(static_cast<std::size_t>(tree_.n_levels()));
    }

    std::vector<TreeEdge> run() {
        edges_.reserve(component_.size());
        while (edges_.size() + 1 < component_.size()) {
            name_components();
            offer_known_neighbours();
            look_for_nearer_ones();
            join_components();
        }
        return std::move(edges_);
    }

  private:
    void name_components() {
        for (std::size_t i = 0; i < component_.size(); ++i) component_[i] = sets_.find(static_cast<Point>(i));
        for (Index height = 0; height < tree_.n_levels(); ++height) name_boxes(height);
    }

    // A box whose points or boxes are all of one component is of that component.
    void name_boxes(Index height) {
        const Index width = height == 0 ? kLeaf : kBoxes;
        const Index below = height == 0 ? x_.n_rows() : tree_.n_boxes(height - 1);
        box_component_[height].resize(static_cast<std::size_t>(tree_.n_boxes(height)));
        const auto name = [&](Index i) {
            return height == 0 ? component_[tree_.order()[i]] : box_component_[height - 1][i];
        };
        for (Index box = 0; box < tree_.n_boxes(height); ++box) {
            Point common = name(box * width);
            for (Index i = box * width + 1; i < std::min(below, (box + 1) * width); ++i)
                if (name(i) != common) common = kMixed;
            box_component_[height][box] = common;
        }
    }

    // Components only grow: a nearest neighbour outside stays the nearest as long as it is outside.
    bool is_known(Point i) const {
        return nearest_[i].id >= 0 && component_[nearest_[i].id] != component_[i];
    }

    void offer_known_neighbours() {
        shortest_.assign(shortest_.size(), kNoEdge);
        for (Point i = 0; i < static_cast<Point>(component_.size()); ++i)
            if (is_known(i)) offer(component_[i], edge_between(nearest_[i].squared, i, nearest_[i].id));
    }

    void offer(Point component, const TreeEdge& edge) {
        if (edge < shortest_[component]) shortest_[component] = edge;
    }

    void look_for_nearer_ones() {
        std::vector<std::vector<Leaving>> found(static_cast<std::size_t>(n_chunks(x_.n_rows(), kTask)));
        for_chunks(
            x_.n_rows(), n_threads_,
            [&](Index begin, Index end) {
                for (Index at = begin; at < end; ++at) look(tree_.order()[at], found[begin / kTask]);
            },
            kTask);
        for (const auto& part : found)
            for (const Leaving& leaving : part) offer(leaving.component, leaving.edge);
    }

    // What other tasks find meanwhile is not asked: the work, too, must not depend on the threads.
    void look(Point i, std::vector<Leaving>& found) {
        if (is_known(i)) return;
        TreeEdge& edge = leaving(component_[i], found);
        if (nearest_[i].squared > edge.squared) return;
        ForeignVisitor visitor{component_, box_component_, component_[i], {edge.squared, kNobody.id}};
        tree_.visit(x_.row(i), visitor);
        if (visitor.found.id == kNobody.id) {
            nearest_[i] = {edge.squared, kMixed};  // nobody that near: a bound for later rounds
            return;
        }
        nearest_[i] = visitor.found;
        const TreeEdge candidate = edge_between(visitor.found.squared, i, visitor.found.id);
        if (candidate < edge) edge = candidate;
    }

    TreeEdge& leaving(Point component, std::vector<Leaving>& found) const {
        for (auto known = found.rbegin(); known != found.rend(); ++known)
            if (known->component == component) return known->edge;
        return found.emplace_back(Leaving{component, shortest_[component]}).edge;
    }

    void join_components() {
        for (Point i = 0; i < static_cast<Point>(component_.size()); ++i) {
            const TreeEdge& edge = shortest_[i];
            if (component_[i] == i && sets_.join(edge.low, edge.high)) edges_.push_back(edge);
        }
    }

    MatrixView<const double> x_;
    int n_threads_;
    KdTree tree_;
    DisjointSets sets_;
    std::vector<Point> component_;
    std::vector<Neighbour> nearest_;  // outside the component; without id a lower bound of its distance
    std::vector<TreeEdge> shortest_;  // by component
    std::vector<std::vector<Point>> box_component_;
    std::vector<TreeEdge> edges_;
};

}  // namespace

std::vector<TreeEdge> boruvka_edges(MatrixView<const double> x, int n_threads) {
    return Boruvka(x, n_threads).run();
}

}  // namespace intarsia
