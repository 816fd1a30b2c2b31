#include "intarsia/kmeans/centre_groups.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "intarsia/distance/distance.hpp"

namespace intarsia {

namespace {

// Bounds of a point fill whole vectors of the widest instruction set.
template <class T>
constexpr Index kBoundPad = 64 / sizeof(T);

Index parts(Index n, Index size) { return (n + size - 1) / size; }

template <class T>
Index widest_dimension(MatrixView<const T> centres, std::span<const Label> ids) {
    Index widest = 0;
    T most = -1;
    for (Index j = 0; j < centres.n_cols(); ++j) {
        const auto [low, high] = std::minmax_element(
            ids.begin(), ids.end(), [&](Label a, Label b) { return centres(a, j) < centres(b, j); });
        const T spread = centres(*high, j) - centres(*low, j);
        if (spread > most) {
            most = spread;
            widest = j;
        }
    }
    return widest;
}

}  // namespace

template <class T>
CentreGroups<T>::CentreGroups(MatrixView<const T> centres)
    : group_of_(static_cast<std::size_t>(centres.n_rows())),
      previous_(centres.data(), centres.data() + centres.n_rows() * centres.n_cols()),
      shift_(group_of_.size(), T(0)) {
    const Index k = centres.n_rows();
    table_.n_dims = centres.n_cols();
    table_.width = kPad * parts(k, kPad * kMaxGroups);
    std::vector<Label> every(group_of_.size());
    std::iota(every.begin(), every.end(), 0);
    split(centres, every, parts(k, table_.width));
    table_.n_groups = static_cast<Index>(ids_.size()) / table_.width;
    table_.n_bounds = kBoundPad<T> * parts(table_.n_groups, kBoundPad<T>);
    table_.margin = 1 - 4 * static_cast<T>(table_.n_dims + 8) * std::numeric_limits<T>::epsilon();
    drop_.resize(static_cast<std::size_t>(table_.n_bounds));
    // Free slots sit at infinity: they are never nearest.
    by_group_.assign(ids_.size() * static_cast<std::size_t>(table_.n_dims),
                     std::numeric_limits<T>::infinity());
    table_.ids = ids_.data();
    table_.group_of = group_of_.data();
    table_.by_group = by_group_.data();
    table_.shift = shift_.data();
    table_.drop = drop_.data();
    lay_out(centres);
}

template <class T>
void CentreGroups<T>::split(MatrixView<const T> centres, std::span<Label> ids, Index n_groups) {
    if (n_groups == 1) return add_group(ids);
    const Index j = widest_dimension(centres, std::span<const Label>(ids));
    const auto n_left = static_cast<std::size_t>(static_cast<Index>(ids.size()) * (n_groups / 2) / n_groups);
    std::nth_element(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(n_left), ids.end(),
                     [&](Label a, Label b) { return centres(a, j) < centres(b, j); });
    split(centres, ids.first(n_left), n_groups / 2);
    split(centres, ids.subspan(n_left), n_groups - n_groups / 2);
}

// Ascending ids, so that the first of several nearest slots is the centre of lowest index.
template <class T>
void CentreGroups<T>::add_group(std::span<Label> ids) {
    std::sort(ids.begin(), ids.end());
    for (Label c : ids) group_of_[c] = static_cast<Label>(static_cast<Index>(ids_.size()) / table_.width);
    ids_.insert(ids_.end(), ids.begin(), ids.end());
    ids_.resize(static_cast<std::size_t>(table_.width * parts(static_cast<Index>(ids_.size()), table_.width)),
                kNoLabel);
}

template <class T>
void CentreGroups<T>::lay_out(MatrixView<const T> centres) {
    const Index width = table_.width;
    table_.by_id = centres.data();
    for (Index slot = 0; slot < static_cast<Index>(ids_.size()); ++slot) {
        if (ids_[slot] == kNoLabel) continue;
        T* to = by_group_.data() + slot / width * width * table_.n_dims + slot % width;
        for (Index j = 0; j < table_.n_dims; ++j) to[j * width] = centres(ids_[slot], j);
    }
}

template <class T>
void CentreGroups<T>::move(MatrixView<const T> centres) {
    const Index d = table_.n_dims;
    // Padding recedes for ever: its bounds never open.
    std::fill(drop_.begin(), drop_.end(), -std::numeric_limits<T>::infinity());
    for (Label c = 0; c < static_cast<Label>(shift_.size()); ++c) {
        shift_[c] = std::sqrt(squared_distance(centres.row(c), previous_.data() + c * d, d)) / table_.margin;
        drop_[group_of_[c]] = std::max(drop_[group_of_[c]], shift_[c]);
    }
    std::copy_n(centres.data(), previous_.size(), previous_.begin());
    lay_out(centres);
}

template <class T>
bool CentreGroups<T>::measurable() const {
    return std::all_of(shift_.begin(), shift_.end(), [](T shift) { return std::isfinite(shift); });
}

template class CentreGroups<double>;
template class CentreGroups<float>;

}  // namespace intarsia
