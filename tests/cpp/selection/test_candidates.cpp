#include <doctest/doctest.h>

#include <vector>

#include "intarsia/common/error.hpp"
#include "intarsia/selection/candidates.hpp"

using namespace intarsia;

TEST_CASE("shared points and patterns") {
    const std::vector<Index> offsets{0, 3, 5, 5};
    const std::vector<Point> members{0, 1, 2, 2, 4};
    const CandidateView candidates{offsets, members};
    CHECK(shared_points(candidates, 6, 2) == std::vector<Index>{3, 1, 0, 1, 2, 0, 0, 0, 0});
    CHECK(membership_patterns(candidates, 6) == std::vector<Point>{0, 0, 1, 2, 3, 2});
    CHECK_THROWS_AS(shared_points(candidates, 4, 1), InvalidInput);
    const std::vector<Index> wrong{0, 3, 2, 5};
    CHECK_THROWS_AS(membership_patterns({wrong, members}, 6), InvalidInput);
}
