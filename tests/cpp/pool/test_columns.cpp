#include <doctest/doctest.h>

#include <vector>

#include "intarsia/common/error.hpp"
#include "intarsia/pool/columns.hpp"

using namespace intarsia;

TEST_CASE("chosen columns are some of the pool, at least one and no more than points") {
    const std::vector<Index> offsets{0, 2, 3, 5, 6};
    const std::vector<Point> members{0, 1, 2, 0, 2, 1};
    const std::vector<double> costs{1, 0, 2, 0};
    const Columns columns{3, offsets, members, costs};
    CHECK(columns.size() == 4);
    CHECK(std::vector<Point>(columns[2].begin(), columns[2].end()) == std::vector<Point>{0, 2});
    CHECK_NOTHROW(check_chosen(columns, std::vector<Index>{3, 0, 1}));
    CHECK_THROWS_AS(check_chosen(columns, {}), InvalidInput);
    CHECK_THROWS_AS(check_chosen(columns, std::vector<Index>{0, 1, 2, 3}), InvalidInput);
    for (Index bad : {-1, 4})
        CHECK_THROWS_AS(check_chosen(columns, std::vector<Index>{0, bad}), InvalidInput);
}
