#pragma once

#include <span>

#include "intarsia/common/types.hpp"

namespace intarsia {

/// Read-only columns in compressed form: column j holds members[offsets[j] .. offsets[j + 1]), ascending.
struct Columns {
    Index n_points = 0;
    std::span<const Index> offsets;
    std::span<const Point> members;
    std::span<const double> costs;

    Index size() const { return static_cast<Index>(costs.size()); }
    std::span<const Point> operator[](Index j) const {
        const auto at = static_cast<std::size_t>(j);
        return members.subspan(static_cast<std::size_t>(offsets[at]),
                               static_cast<std::size_t>(offsets[at + 1] - offsets[at]));
    }
};

/// Refuses what is no partition in the making: no columns, more than points, or ids that are not in the pool.
void check_chosen(const Columns& columns, std::span<const Index> chosen);

}  // namespace intarsia
