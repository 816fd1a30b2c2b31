#include "intarsia/kmeans/grouped_assignment.hpp"

#include <algorithm>
#include <limits>

#include "intarsia/common/parallel.hpp"

namespace intarsia {

template <class T>
GroupedAssignment<T>::GroupedAssignment(MatrixView<const T> x, int n_threads)
    : x_(x),
      n_threads_(n_threads),
      labels_(static_cast<std::size_t>(x.n_rows()), kNoLabel),
      upper_(labels_.size()) {}

template <class T>
void GroupedAssignment<T>::start(MatrixView<const T> centres) {
    groups_.emplace(centres);
    bounds_.resize(labels_.size() * static_cast<std::size_t>(groups_->table().n_bounds));
    forget_bounds();
}

template <class T>
void GroupedAssignment<T>::forget_bounds() {
    std::fill(upper_.begin(), upper_.end(), std::numeric_limits<T>::infinity());
    std::fill(bounds_.begin(), bounds_.end(), T(0));
}

template <class T>
void GroupedAssignment<T>::force(Index i, Label c) {
    labels_[i] = c;
    upper_[i] = std::numeric_limits<T>::infinity();
    const Index n_bounds = groups_->table().n_bounds;
    std::fill_n(bounds_.begin() + i * n_bounds, n_bounds, T(0));
}

template <class T>
BoundTable<T> GroupedAssignment<T>::table() {
    return {x_.data(), labels_.data(), upper_.data(), bounds_.data()};
}

template <class T>
Index GroupedAssignment<T>::update(MatrixView<const T> centres, std::vector<char>& touched) {
    if (!groups_) {
        start(centres);
    } else {
        groups_->move(centres);
        if (!groups_->measurable()) forget_bounds();
    }
    std::vector<LabelChanges> by_chunk(static_cast<std::size_t>(n_chunks(x_.n_rows())));
    for_chunks(x_.n_rows(), n_threads_,
               [&](Index begin, Index end) { update_chunk(begin, end, by_chunk[begin / kChunk]); });
    return count_changes(by_chunk, touched);
}

template <class T>
void GroupedAssignment<T>::update_chunk(Index begin, Index end, LabelChanges& changes) {
    thread_local std::vector<Suspect<T>> suspects(kChunk);
    thread_local std::vector<Label> found(kChunk);
    const Index n = find_suspects(begin, end, suspects);
    kernels<T>().search(groups_->table(), table(), suspects.data(), n, found.data());
    for (Index q = 0; q < n; ++q) changes.relabel(labels_[suspects[q].point], found[q]);
}

template <class T>
Index GroupedAssignment<T>::find_suspects(Index begin, Index end, std::vector<Suspect<T>>& suspects) {
    if (labels_[begin] == kNoLabel) {
        for (Index i = begin; i < end; ++i)
            suspects[i - begin] = {i, T(0), std::numeric_limits<T>::infinity()};
        return end - begin;
    }
    const Index n = kernels<T>().drift(groups_->table(), table(), begin, end, suspects.data());
    return kernels<T>().tighten(groups_->table(), table(), suspects.data(), n);
}

template class GroupedAssignment<double>;
template class GroupedAssignment<float>;

}  // namespace intarsia
