#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "intarsia/common/types.hpp"
#include "intarsia/kmeans/centre_groups.hpp"
#include "intarsia/kmeans/label_changes.hpp"

namespace intarsia {

/// Nearest-centre labels kept up to date while centres move, for few dimensions. A point keeps one lower
/// bound for each group of centres (yinyang), so only the groups that may have come nearer are looked into;
/// labels are those of the plain algorithm, ties to the lowest index.
template <class T>
class GroupedAssignment {
  public:
    GroupedAssignment(MatrixView<const T> x, int n_threads);

    /// Labels every point for these centres; returns how many labels changed. `touched` collects the clusters
    /// that gained or lost a point.
    Index update(MatrixView<const T> centres, std::vector<char>& touched);

    /// Puts point i into cluster c whatever its distance; bounds are forgotten for it.
    void force(Index i, Label c);

    std::span<const Label> labels() const { return labels_; }

    /// The labels, for who needs nothing else any more.
    std::vector<Label> take_labels() && { return std::move(labels_); }

  private:
    void start(MatrixView<const T> centres);
    void forget_bounds();
    BoundTable<T> table();
    void update_chunk(Index begin, Index end, LabelChanges& changes);
    Index find_suspects(Index begin, Index end, std::vector<Suspect<T>>& suspects);

    MatrixView<const T> x_;
    int n_threads_;
    std::optional<CentreGroups<T>> groups_;
    std::vector<Label> labels_;
    std::vector<T> upper_;
    std::vector<T> bounds_;
};

}  // namespace intarsia
