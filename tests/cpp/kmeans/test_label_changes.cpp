#include <doctest/doctest.h>

#include <vector>

#include "intarsia/kmeans/label_changes.hpp"

using namespace intarsia;

TEST_CASE("clusters that points leave and join are touched, points that stay count for nothing") {
    std::vector<Label> labels{0, 1, kNoLabel, 3};
    std::vector<LabelChanges> by_chunk(2);
    by_chunk[0].relabel(labels[0], 0);
    by_chunk[0].relabel(labels[1], 2);
    by_chunk[1].relabel(labels[2], 4);  // it was nowhere
    by_chunk[1].relabel(labels[3], 3);
    CHECK(labels == std::vector<Label>{0, 2, 4, 3});
    std::vector<char> touched(6, 0);
    CHECK(count_changes(by_chunk, touched) == 2);
    CHECK(touched == std::vector<char>{0, 1, 1, 0, 1, 0});
}
