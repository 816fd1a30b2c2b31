#pragma once

#include <span>
#include <utility>
#include <vector>

#include "intarsia/common/types.hpp"
#include "intarsia/distance/centre_block.hpp"
#include "intarsia/kmeans/label_changes.hpp"

namespace intarsia {

/// Nearest-centre labels kept up to date while centres move, for few centres. A point keeps one bound, its
/// slack: by how much its own centre is nearer than any other. A point without slack is screened against all
/// centres in float32, eight or more points at a time, and measured exactly where that leaves a doubt; labels
/// are those of the plain algorithm, ties to the lowest index.
template <class T>
class SlackAssignment {
  public:
    /// Up to `most_kept` numbers of points are kept in float32; of more every chunk is laid out whenever it
    /// is screened.
    SlackAssignment(MatrixView<const T> x, Index n_clusters, int n_threads, Index most_kept = 16'000'000);

    /// Labels every point for these centres; returns how many labels changed. `touched` collects the clusters
    /// that gained or lost a point.
    Index update(MatrixView<const T> centres, std::vector<char>& touched);

    /// Puts point i into cluster c whatever its distance; its slack is forgotten.
    void force(Index i, Label c);

    std::span<const Label> labels() const { return labels_; }

    /// The labels, for who needs nothing else any more.
    std::vector<Label> take_labels() && { return std::move(labels_); }

  private:
    struct Scratch;

    void lay_out_points(Index most_kept);
    void lay_out_point(Index i, float* to) const;
    void lay_out_centres(MatrixView<const T> centres);
    void add_losses(MatrixView<const T> centres);
    void forget();
    void update_chunk(Index begin, Index end, const CentreBlock<T>& exact, LabelChanges& changes);
    void find_suspects(Index begin, Index end, Scratch& scratch) const;
    void screen_all(Index begin, Index end, Scratch& scratch) const;
    void screen_suspects(Index begin, Scratch& scratch) const;
    void relabel(Index i, Label c, float slack, const CentreBlock<T>& exact, LabelChanges& changes);

    MatrixView<const T> x_;
    Index n_clusters_;
    int n_threads_;
    std::vector<T> origin_;
    double scale_ = 1;           // brings the points, about their origin, into the unit ball
    std::vector<float> points_;  // chunk, dimension, point; empty where that would be much memory
    std::vector<float> norms_;
    std::vector<Label> labels_;
    std::vector<float> until_;  // the label is sure until its cluster has lost so much slack
    std::vector<double> lost_;  // what moves of centres took so far from the points of a cluster, at most
    std::vector<float> lost_up_;
    std::vector<T> previous_;
    std::vector<float> blocks_;
    std::vector<float> half_norms_;
    FewCentres few_{};
};

}  // namespace intarsia
