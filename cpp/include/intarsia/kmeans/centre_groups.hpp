#pragma once

#include <span>
#include <vector>

#include "intarsia/common/types.hpp"
#include "intarsia/distance/group_bounds.hpp"
#include "intarsia/distance/kernels.hpp"

namespace intarsia {

/// Centres split once into even groups of neighbours, and how far centres and groups moved since.
template <class T>
class CentreGroups {
  public:
    explicit CentreGroups(MatrixView<const T> centres);

    /// Takes the new places of the centres, which must outlive the next use of `table`.
    void move(MatrixView<const T> centres);

    const GroupTable<T>& table() const { return table_; }
    /// False when a centre moved farther than numbers reach: bounds are worthless then.
    bool measurable() const;

  private:
    void split(MatrixView<const T> centres, std::span<Label> ids, Index n_groups);
    void add_group(std::span<Label> ids);
    void lay_out(MatrixView<const T> centres);

    std::vector<Label> ids_;
    std::vector<Label> group_of_;
    std::vector<T> by_group_;
    std::vector<T> previous_;
    std::vector<T> shift_;
    std::vector<T> drop_;
    GroupTable<T> table_{};
};

}  // namespace intarsia
