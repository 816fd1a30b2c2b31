#include "intarsia/pool/columns.hpp"

#include <algorithm>
#include <string>

#include "intarsia/common/error.hpp"

namespace intarsia {

void check_chosen(const Columns& columns, std::span<const Index> chosen) {
    if (chosen.empty() || std::ssize(chosen) > columns.n_points) {
        throw InvalidInput("got " + std::to_string(chosen.size()) +
                           " columns, need 1 to n_points=" + std::to_string(columns.n_points) + ".");
    }
    if (std::ranges::any_of(chosen, [&](Index j) { return j < 0 || j >= columns.size(); })) {
        throw InvalidInput("column ids should be in [0, " + std::to_string(columns.size()) + ").");
    }
}

}  // namespace intarsia
