#pragma once

#include <span>
#include <utility>
#include <vector>

#include "intarsia/common/types.hpp"
#include "intarsia/distance/centre_block.hpp"
#include "intarsia/kmeans/label_changes.hpp"

namespace intarsia {

/// Nearest-centre labels kept up to date while centres move, for many dimensions. Two bounds a point
/// (Hamerly: its own centre is at most `upper` away, every other at least `lower`) and the set of centres
/// that moved decide which distances are needed; labels are those of the plain algorithm, ties to the lowest
/// index.
template <class T>
class Assignment {
  public:
    Assignment(MatrixView<const T> x, Index n_clusters, int n_threads);

    /// Labels every point for these centres; returns how many labels changed. `touched` collects the clusters
    /// that gained or lost a point.
    Index update(MatrixView<const T> centres, std::vector<char>& touched);

    /// Puts point i into cluster c whatever its distance; bounds are forgotten for it.
    void force(Index i, Label c);

    std::span<const Label> labels() const { return labels_; }

    /// The labels, for who needs nothing else any more.
    std::vector<Label> take_labels() && { return std::move(labels_); }

  private:
    struct Scratch;

    // What the points of one cluster need to know about the other centres.
    struct Surroundings {
        T drop;          // no centre within `horizon` moved farther
        T horizon;       // distance from the cluster's centre up to which `drop` speaks
        T half_nearest;  // half the distance to the nearest other centre
    };

    void measure_shifts(MatrixView<const T> centres);
    void survey(MatrixView<const T> centres, const CentreBlock<T>& all);
    void survey_cluster(Label a, MatrixView<const T> centres, const CentreBlock<T>& all, T reach);
    std::vector<Label> moved_centres() const;
    void sort_out(Index begin, Index end, MatrixView<const T> centres, Scratch& scratch);
    void scan_all(const CentreBlock<T>& all, Scratch& scratch);
    void scan_moved(const CentreBlock<T>& moved, Scratch& scratch);

    MatrixView<const T> x_;
    Index n_clusters_;
    int n_threads_;
    T margin_;
    bool first_ = true;
    std::vector<T> origin_;
    std::vector<Label> labels_;
    std::vector<T> upper_;
    std::vector<T> lower_;
    std::vector<T> previous_;
    std::vector<T> shift_;
    std::vector<Surroundings> around_;
    T largest_shift_ = 0;
};

}  // namespace intarsia
