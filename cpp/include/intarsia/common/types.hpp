#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace intarsia {

using Index = std::int64_t;
using Label = std::int32_t;
/// A point's number where many are stored.
using Point = std::int32_t;

inline constexpr Label kNoLabel = -1;

/// Non-owning view of a row-major matrix; the rows are contiguous.
template <class T>
class MatrixView {
  public:
    MatrixView() = default;
    MatrixView(T* data, Index n_rows, Index n_cols) : data_(data), n_rows_(n_rows), n_cols_(n_cols) {}

    /// A writable view is usable wherever a read-only one is asked for.
    operator MatrixView<const T>() const
        requires(!std::is_const_v<T>)
    {
        return {data_, n_rows_, n_cols_};
    }

    Index n_rows() const { return n_rows_; }
    Index n_cols() const { return n_cols_; }
    T* data() const { return data_; }
    T* row(Index i) const { return data_ + i * n_cols_; }
    T& operator()(Index i, Index j) const { return data_[i * n_cols_ + j]; }

  private:
    T* data_ = nullptr;
    Index n_rows_ = 0;
    Index n_cols_ = 0;
};

}  // namespace intarsia
