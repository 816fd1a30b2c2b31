#include "intarsia/distance/centre_block.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "intarsia/distance/distance.hpp"

namespace intarsia {

namespace {

Index round_up(Index n, Index multiple) { return (n + multiple - 1) / multiple * multiple; }

}  // namespace

template <class T>
CentreBlock<T>::CentreBlock(MatrixView<const T> centres, std::vector<Label> ids, std::span<const T> origin)
    : n_dims_(centres.n_cols()), ids_(std::move(ids)), origin_(origin.begin(), origin.end()) {
    lay_out_by_dimension(centres);
    if (n_dims_ >= kScreenDims && !origin_.empty()) lay_out_panels(centres);
}

template <class T>
void CentreBlock<T>::lay_out_by_dimension(MatrixView<const T> centres) {
    stride_ = round_up(size(), kPad);
    // Padding sits at infinity: it is never nearest.
    by_dimension_.assign(static_cast<std::size_t>(stride_ * n_dims_), std::numeric_limits<T>::infinity());
    for (Index c = 0; c < size(); ++c)
        for (Index j = 0; j < n_dims_; ++j) by_dimension_[j * stride_ + c] = centres(ids_[c], j);
}

template <class T>
void CentreBlock<T>::lay_out_panels(MatrixView<const T> centres) {
    const Index tile = kernels<T>().tile;
    const Index padded = round_up(size(), tile);
    panels_.assign(static_cast<std::size_t>(padded * n_dims_), T(0));
    half_norms_.assign(static_cast<std::size_t>(padded), std::numeric_limits<T>::infinity());
    for (Index c = 0; c < size(); ++c) {
        T norm = 0;
        T* panel = panels_.data() + c / tile * tile * n_dims_ + c % tile;
        for (Index j = 0; j < n_dims_; ++j) {
            const T value = centres(ids_[c], j) - origin_[j];
            panel[j * tile] = value;
            norm += value * value;
        }
        half_norms_[c] = norm / 2;
        max_norm_ = std::max(max_norm_, std::sqrt(norm));
    }
}

template <class T>
Nearest<T> CentreBlock<T>::exact(const T* point) const {
    Nearest<T> found = kernels<T>().nearest(point, n_dims_, by_dimension_.data(), stride_);
    found.position = ids_[found.position];
    return found;
}

template <class T>
void CentreBlock<T>::distances(const T* point, std::vector<T>& out) const {
    out.resize(static_cast<std::size_t>(stride_));
    kernels<T>().distances(point, n_dims_, by_dimension_.data(), stride_, out.data());
}

template <class T>
void CentreBlock<T>::nearest(MatrixView<const T> x, std::span<const Index> points, Nearest<T>* out) const {
    if (!screens()) {
        for (std::size_t q = 0; q < points.size(); ++q) out[q] = exact(x.row(points[q]));
        return;
    }
    for (std::size_t q = 0; q < points.size(); q += kBatch)
        screened(x, points.subspan(q, std::min<std::size_t>(kBatch, points.size() - q)), out + q);
}

template <class T>
void CentreBlock<T>::screened(MatrixView<const T> x, std::span<const Index> points, Nearest<T>* out) const {
    const auto n = static_cast<Index>(points.size());
    const Index n_groups = (n + kGroup - 1) / kGroup;
    thread_local std::vector<T> packed;
    packed.assign(static_cast<std::size_t>(n_groups * kGroup * n_dims_), T(0));
    std::array<T, kBatch> norm{};
    for (Index q = 0; q < n; ++q) {
        const T* point = x.row(points[q]);
        T* to = packed.data() + q / kGroup * kGroup * n_dims_ + q % kGroup;
        T sum = 0;
        for (Index j = 0; j < n_dims_; ++j) {
            const T value = point[j] - origin_[j];
            to[j * kGroup] = value;
            sum += value * value;
        }
        norm[q] = std::sqrt(sum);
    }
    std::array<Nearest<T>, kBatch> guess;
    const auto n_panels = static_cast<Index>(half_norms_.size()) / kernels<T>().tile;
    kernels<T>().screen(packed.data(), n_groups, n_dims_, panels_.data(), n_panels, half_norms_.data(),
                        guess.data());
    for (Index q = 0; q < n; ++q) out[q] = confirmed(x.row(points[q]), guess[q], norm[q]);
}

// The screened values are within `error` of the truth, and so are the exact kernel's: a clear winner is the
// winner.
template <class T>
Nearest<T> CentreBlock<T>::confirmed(const T* point, Nearest<T> guess, T norm) const {
    const T reach = norm + max_norm_;
    const T error = 4 * static_cast<T>(n_dims_ + 8) * std::numeric_limits<T>::epsilon() * reach * reach;
    if (!(guess.second - guess.best > 2 * error)) return exact(point);
    const T second = 2 * (guess.second - error) + norm * norm - error;
    const Index c = guess.position;
    T best = 0;
    for (Index j = 0; j < n_dims_; ++j) {
        const T t = point[j] - by_dimension_[j * stride_ + c];
        best += t * t;
    }
    return {ids_[c], best, std::max(second, T(0))};
}

template class CentreBlock<double>;
template class CentreBlock<float>;

}  // namespace intarsia
