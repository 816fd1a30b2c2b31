#include <doctest/doctest.h>

#include <vector>

#include "intarsia/common/error.hpp"
#include "intarsia/common/label_groups.hpp"

using namespace intarsia;

TEST_CASE("every cluster lists its points in ascending order, an empty one none") {
    const std::vector<Label> labels{2, 0, 2, 3, 0, 2};
    const Groups groups = group_labels(labels, 5);
    const std::vector<std::vector<Point>> expected{{1, 4}, {}, {0, 2, 5}, {3}, {}};
    for (Index c = 0; c < 5; ++c) {
        CHECK(std::vector<Point>(groups[c].begin(), groups[c].end()) == expected[c]);
        CHECK(groups.size(c) == std::ssize(expected[c]));
    }
}

TEST_CASE("labels outside the clusters and a wrong number of them are refused") {
    for (Label bad : {-1, 2, 7}) CHECK_THROWS_AS(group_labels(std::vector<Label>{0, bad}, 2), InvalidInput);
    const std::vector<Label> labels{0, 1, 1};
    CHECK_NOTHROW(check_labels(labels, 3, 2));
    CHECK_THROWS_AS(check_labels(labels, 4, 2), InvalidInput);
    CHECK_THROWS_AS(check_labels(labels, 3, 1), InvalidInput);
}
