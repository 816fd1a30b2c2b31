#pragma once

#include <cstdint>
#include <vector>

#include "intarsia/common/types.hpp"

namespace intarsia {

/// The set of different rows seen so far (0.0 and -0.0 are the same).
template <class T>
class DistinctRows {
  public:
    explicit DistinctRows(MatrixView<const T> x);

    /// True when no equal row was inserted before.
    bool insert(Index i);
    Index size() const { return size_; }

  private:
    std::uint64_t hash(Index i) const;
    bool equal(Index i, Index j) const;
    void grow();

    MatrixView<const T> x_;
    std::vector<Index> slots_;
    Index size_ = 0;
};

/// How many different rows x has; counting stops at `limit`.
template <class T>
Index count_distinct(MatrixView<const T> x, Index limit);

}  // namespace intarsia
