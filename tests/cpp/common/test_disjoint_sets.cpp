#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "intarsia/common/disjoint_sets.hpp"

using namespace intarsia;

TEST_CASE("sets are named by their lowest point, and joining says whether two became one") {
    DisjointSets sets(6);
    CHECK(sets.join(5, 3));
    CHECK(sets.join(3, 4));
    CHECK_FALSE(sets.join(4, 5));
    CHECK(sets.find(5) == 3);
    CHECK(sets.join(1, 5));
    for (Point i : {1, 3, 4, 5}) CHECK(sets.find(i) == 1);
    for (Point i : {0, 2}) CHECK(sets.find(i) == i);
}

TEST_CASE("many joins give the sets of a plain table of names") {
    constexpr Index kN = 300;
    DisjointSets sets(kN);
    std::vector<Point> name(kN);
    for (Point i = 0; i < kN; ++i) name[i] = i;
    for (Point step = 0; step < 250; ++step) {
        const Point a = (step * 7919) % kN, b = (step * 104'729 + 13) % kN;
        const Point low = std::min(name[a], name[b]), high = std::max(name[a], name[b]);
        CHECK(sets.join(a, b) == (low != high));
        std::ranges::replace(name, high, low);
    }
    for (Point i = 0; i < kN; ++i) CHECK(sets.find(i) == name[i]);
}
