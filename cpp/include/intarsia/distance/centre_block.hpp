#pragma once

#include <span>
#include <vector>

#include "intarsia/common/types.hpp"
#include "intarsia/distance/kernels.hpp"

namespace intarsia {

/// Some of the centres, laid out for the kernels; finds the nearest of them for many points.
template <class T>
class CentreBlock {
  public:
    /// From this many dimensions on, a blocked product screens the centres before the exact kernel decides.
    static constexpr Index kScreenDims = 6;
    /// Points handled in one call of the screening kernel.
    static constexpr Index kBatch = 64;

    /// `origin` is subtracted before screening: it keeps products small, so close calls stay rare.
    /// An empty one: nothing is screened.
    CentreBlock(MatrixView<const T> centres, std::vector<Label> ids, std::span<const T> origin);

    Index size() const { return static_cast<Index>(ids_.size()); }

    /// out[q] = nearest of these centres for point points[q]; `position` is the centre's id, `best` is exact,
    /// `second` is a lower bound on the squared distance of every other centre of the block.
    void nearest(MatrixView<const T> x, std::span<const Index> points, Nearest<T>* out) const;

    /// The same of one point, without screening.
    Nearest<T> exact(const T* point) const;

    /// out[c] = squared distance of one point to the c-th centre of the block; padding gives infinity.
    void distances(const T* point, std::vector<T>& out) const;

  private:
    bool screens() const { return !panels_.empty(); }
    void lay_out_by_dimension(MatrixView<const T> centres);
    void lay_out_panels(MatrixView<const T> centres);
    void screened(MatrixView<const T> x, std::span<const Index> points, Nearest<T>* out) const;
    Nearest<T> confirmed(const T* point, Nearest<T> guess, T norm) const;

    Index n_dims_;
    Index stride_ = 0;
    std::vector<Label> ids_;
    std::vector<T> by_dimension_;
    std::vector<T> origin_;
    std::vector<T> panels_;
    std::vector<T> half_norms_;
    T max_norm_ = 0;
};

}  // namespace intarsia
