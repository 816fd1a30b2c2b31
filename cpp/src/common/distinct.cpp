#include "intarsia/common/distinct.hpp"

#include <bit>

namespace intarsia {

namespace {

constexpr Index kFree = -1;

std::uint64_t mix(std::uint64_t h) {
    h ^= h >> 32;
    h *= 0x9E3779B97F4A7C15ULL;
    return h ^ (h >> 29);
}

}  // namespace

template <class T>
DistinctRows<T>::DistinctRows(MatrixView<const T> x) : x_(x), slots_(64, kFree) {}

template <class T>
std::uint64_t DistinctRows<T>::hash(Index i) const {
    std::uint64_t h = 0;
    for (Index j = 0; j < x_.n_cols(); ++j)
        h = mix(h + std::bit_cast<std::uint64_t>(static_cast<double>(x_(i, j)) +
                                                 0.0));  // + 0.0 turns -0.0 into 0.0
    return h;
}

template <class T>
bool DistinctRows<T>::equal(Index i, Index j) const {
    for (Index c = 0; c < x_.n_cols(); ++c)
        if (x_(i, c) != x_(j, c)) return false;
    return true;
}

template <class T>
bool DistinctRows<T>::insert(Index i) {
    if (2 * size_ >= static_cast<Index>(slots_.size())) grow();
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash(i) & mask;
    for (; slots_[at] != kFree; at = (at + 1) & mask)
        if (equal(i, slots_[at])) return false;
    slots_[at] = i;
    ++size_;
    return true;
}

template <class T>
void DistinctRows<T>::grow() {
    std::vector<Index> old(2 * slots_.size(), kFree);
    old.swap(slots_);
    const std::size_t mask = slots_.size() - 1;
    for (Index i : old) {
        if (i == kFree) continue;
        std::size_t at = hash(i) & mask;
        while (slots_[at] != kFree) at = (at + 1) & mask;
        slots_[at] = i;
    }
}

template <class T>
Index count_distinct(MatrixView<const T> x, Index limit) {
    DistinctRows<T> rows(x);
    for (Index i = 0; i < x.n_rows() && rows.size() < limit; ++i) rows.insert(i);
    return rows.size();
}

template class DistinctRows<double>;
template class DistinctRows<float>;
template Index count_distinct<double>(MatrixView<const double>, Index);
template Index count_distinct<float>(MatrixView<const float>, Index);

}  // namespace intarsia
