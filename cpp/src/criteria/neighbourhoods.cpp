#include "intarsia/criteria/neighbourhoods.hpp"

#include <algorithm>
#include <functional>

#include "intarsia/common/error.hpp"

namespace intarsia {

namespace {

void check_rows(const Groups& rows) {
    const Index n = std::ssize(rows.offsets) - 1;
    if (n < 1 || rows.offsets.front() != 0 || rows.offsets.back() != std::ssize(rows.members) ||
        !std::ranges::is_sorted(rows.offsets))
        throw InvalidInput("offsets and ids of the neighbourhoods do not fit together.");
    for (Index i = 0; i < n; ++i) {
        const auto row = rows[i];
        if (!std::ranges::binary_search(row, static_cast<Point>(i)) || row.front() < 0 || row.back() >= n ||
            std::ranges::adjacent_find(row, std::greater_equal<>()) != row.end())
            throw InvalidInput("a neighbourhood should be ascending points, its own among them.");
    }
}

Groups turned_around(const Groups& rows) {
    const Index n = std::ssize(rows.offsets) - 1;
    Groups turned{std::vector<Index>(rows.offsets.size(), 0), std::vector<Point>(rows.members.size())};
    for (Point j : rows.members) ++turned.offsets[j + 1];
    for (Index i = 0; i < n; ++i) turned.offsets[i + 1] += turned.offsets[i];
    std::vector<Index> next(turned.offsets.begin(), turned.offsets.end() - 1);
    for (Index i = 0; i < n; ++i)
        for (Point j : rows[i]) turned.members[next[j]++] = static_cast<Point>(i);
    return turned;
}

}  // namespace

Neighbourhoods::Neighbourhoods(std::span<const Index> offsets, std::span<const Point> ids)
    : around_{{offsets.begin(), offsets.end()}, {ids.begin(), ids.end()}} {
    check_rows(around_);
    holders_ = turned_around(around_);
}

}  // namespace intarsia
