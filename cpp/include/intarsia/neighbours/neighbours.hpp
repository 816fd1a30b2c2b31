#pragma once

#include <memory>
#include <vector>

#include "intarsia/common/types.hpp"
#include "intarsia/neighbours/kd_tree.hpp"
#include "intarsia/neighbours/point_panels.hpp"

namespace intarsia {

/// Up to this many dimensions a k-d tree looks at few enough of the points to be worth it; above there are
/// panels, for Euclidean distances alone.
inline constexpr Index kTreeDims = 10;

/// k neighbours of each query, row by row, nearest first.
struct NearestNeighbours {
    std::vector<Point> ids;
    std::vector<double> distances;
};

/// Neighbours offsets[q] ... offsets[q + 1] of query q, in order of their numbers.
struct NeighboursWithin {
    std::vector<Index> offsets;
    std::vector<Point> ids;
    std::vector<double> distances;
};

/// Exact neighbours of queries among fixed points. Of neighbours equally far away (as the plain sum over the
/// dimensions says) the lowest numbers count. Memory is that of the points and the answer.
class NeighbourIndex {
  public:
    /// Keeps the view: the points must stay where they are. Coordinates must be finite.
    NeighbourIndex(MatrixView<const double> x, int n_threads,
                   TreeMetric metric = TreeMetric::kSquaredEuclidean);

    Index n_points() const { return x_.n_rows(); }

    /// Query q leaves point first_own + q out; with first_own = -1 none is left out.
    NearestNeighbours nearest(MatrixView<const double> queries, Index k, Index first_own,
                              int n_threads) const;

    /// All points at most `radius` away.
    NeighboursWithin within(MatrixView<const double> queries, double radius, Index first_own,
                            int n_threads) const;

  private:
    void check(MatrixView<const double> queries, Index first_own) const;
    std::vector<Point> query_order(Index n_queries, Index first_own) const;

    MatrixView<const double> x_;
    TreeMetric metric_;
    std::unique_ptr<KdTree> tree_;
    std::unique_ptr<PointPanels> panels_;
};

}  // namespace intarsia
