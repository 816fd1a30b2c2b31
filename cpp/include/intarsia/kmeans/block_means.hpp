#pragma once

#include <span>
#include <vector>

#include "intarsia/common/weighted_points.hpp"

namespace intarsia {

/// Means of few clusters while labels change. Every block of points keeps the sums of its clusters and adds
/// up anew, in point order, those whose members changed; the blocks' sums are added in their order. Bits are
/// those of adding up everything: the same for any number of threads, and for any way to the same labels.
template <class T>
class BlockMeans {
  public:
    BlockMeans(const WeightedPointsOf<T>& points, Index n_clusters, int n_threads);

    /// Takes new labels in [0, n_clusters).
    void group(std::span<const Label> labels);

    /// Points of each cluster.
    std::vector<Index> sizes() const;

    /// Writes the weighted means of all clusters, stale or not; one without weight keeps its centre.
    void move(std::span<const char> stale, MatrixView<double> centres) const;

  private:
    struct Scratch;

    void refresh_block(Index begin, Index end, std::span<const Label> labels, Scratch& scratch);
    void mark_stale(Index begin, Index end, std::span<const Label> labels, Scratch& scratch);
    void add_up(Index block, Label c, std::span<const Point> members);

    WeightedPointsOf<T> points_;
    Index n_clusters_;
    int n_threads_;
    Index block_;                // points in a block
    Index width_;                // of one sum: the dimensions, then the weight
    std::vector<Label> seen_;    // labels that the sums belong to
    std::vector<double> sums_;   // block, cluster, then as above
    std::vector<Point> counts_;  // block, cluster
};

}  // namespace intarsia
