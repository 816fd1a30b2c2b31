#pragma once

#include <span>
#include <vector>

#include "intarsia/common/types.hpp"
#include "intarsia/neighbours/nearest_few.hpp"

namespace intarsia {

/// A point whose neighbours are looked for, and the point that is not to be one of them (-1: none).
struct Query {
    const double* at;
    Point left_out;
};

/// Points laid out for blocked products: many queries look at all of them, fast and roughly, and only pairs
/// that may be near are measured exactly. For many dimensions, where a tree leaves nothing out.
class PointPanels {
  public:
    /// Queries that share the work of loading the points.
    static constexpr Index kBatch = 64;

    /// Keeps the view: the points must stay where they are.
    explicit PointPanels(MatrixView<const double> x);

    /// Offers all points that may be among the nearest of each query (at most kBatch).
    void nearest(std::span<const Query> queries, std::span<NearestFew> found) const;

    /// Appends to found[q] all points whose squared distance to query q is at most `limit`, in order of
    /// number.
    void within(std::span<const Query> queries, double limit, std::span<std::vector<Neighbour>> found) const;

  private:
    struct Batch;

    Batch packed(std::span<const Query> queries) const;
    template <class Limit, class Take>
    void sift(std::span<const Query> queries, Limit&& limit, Take&& take) const;

    MatrixView<const double> x_;
    std::vector<double> origin_;
    std::vector<double> panels_;      // panel p: [dim][tile], less the origin
    std::vector<double> half_norms_;  // infinite for padding
    double max_norm_ = 0;
};

}  // namespace intarsia
