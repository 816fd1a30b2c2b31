#pragma once

#include <span>
#include <vector>

#include "intarsia/criteria/neighbourhoods.hpp"

namespace intarsia {

/// Structural entropy: a cluster costs the mean, over all points, of f(p), where p is the share of the
/// point's neighbours that lie in the cluster. f(p) is p^alpha for alpha < 1, -p ln p for alpha = 1 and
/// p - p^alpha above: concave each time, with f(0) = 0, so that a cluster that is nowhere around a point is
/// never the best one for it.
class StructuralEntropy {
  public:
    StructuralEntropy(Neighbourhoods neighbourhoods, double alpha);

    Index n_points() const { return around_.n_points(); }
    double alpha() const { return alpha_; }
    const Neighbourhoods& neighbourhoods() const { return around_; }

    /// n times what point i adds to a cluster that holds `count` of its neighbours.
    double part(Point i, Index count) const { return parts_[first_[i] + count]; }
    /// How much more that is with one more of them.
    double step(Point i, Index count) const {
        const double* at = parts_.data() + first_[i] + count;
        return at[1] - at[0];
    }
    /// n times what point j adds to a cluster that is nowhere around its holders.
    double far_step(Point j) const { return far_steps_[j]; }

    /// The cost of a cluster, added in the order in which its members reach the points: from ascending
    /// members, equal clusters cost the same bits. Takes time in proportion to their holders.
    double cost(std::span<const Point> members) const;

    /// What one cluster of all points costs: the least of all partitions.
    double least() const { return alpha_ < 1 ? 1.0 : 0.0; }

  private:
    void fill_parts();

    Neighbourhoods around_;
    double alpha_;
    std::vector<Index> first_;       // where the parts of a neighbourhood of its size begin
    std::vector<double> parts_;      // size after size: f(0 / size), ..., f(size / size)
    std::vector<double> far_steps_;  // sum of step(i, 0) over the holders
};

}  // namespace intarsia
