#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

#include "follow_labels.hpp"
#include "intarsia/common/rng.hpp"
#include "intarsia/kmeans/centre_groups.hpp"
#include "intarsia/kmeans/grouped_assignment.hpp"

using namespace intarsia;
using namespace intarsia::testing;

TEST_CASE("group bounds give the labels of the plain algorithm while centres move") {
    for (Index d : {1, 2, 3, 5, 7})
        for (Index k : {1, 5, 16, 17, 100}) {
            follow<double>(700, d, k, [](auto x) { return GroupedAssignment<double>(x, 1); });
            follow<float>(700, d, k, [](auto x) { return GroupedAssignment<float>(x, 3); });
        }
    // more centres than narrow groups hold
    follow<double>(1200, 2, 700, [](auto x) { return GroupedAssignment<double>(x, 2); });
}

TEST_CASE("groups are even, hold every centre once and list ids in order") {
    Rng rng(4, Stage::kUser);
    for (Index k : {1, 16, 17, 100, 513, 1500}) {
        const auto places = lattice<double>(k * 2, rng);
        const CentreGroups<double> groups(MatrixView<const double>(places.data(), k, 2));
        const auto& table = groups.table();
        REQUIRE(table.n_groups <= kMaxGroups);
        std::set<Label> seen;
        for (Index g = 0; g < table.n_groups; ++g) {
            const Label* first = table.ids + g * table.width;
            const Label* last = std::find(first, first + table.width, kNoLabel);
            CHECK(std::is_sorted(first, last));
            CHECK(last - first >= k / table.n_groups);
            CHECK(last - first <= k / table.n_groups + 1);
            for (const Label* id = first; id < last; ++id) {
                CHECK(table.group_of[*id] == g);
                CHECK(seen.insert(*id).second);
            }
        }
        CHECK(static_cast<Index>(seen.size()) == k);
    }
}

TEST_CASE("bounds are forgotten when a centre moves farther than numbers reach") {
    const double far = std::numeric_limits<double>::max() / 2;
    const std::vector<double> points{0, 1, 2, 3};
    std::vector<double> places{0, 3};
    const MatrixView<const double> x(points.data(), 4, 1);
    GroupedAssignment<double> assignment(x, 1);
    std::vector<char> touched(2);
    assignment.update({places.data(), 2, 1}, touched);
    places = {far, 3};
    assignment.update({places.data(), 2, 1}, touched);
    CHECK(std::ranges::count(assignment.labels(), 1) == 4);
    places = {0, 3};
    assignment.update({places.data(), 2, 1}, touched);
    CHECK(std::ranges::count(assignment.labels(), 0) == 2);
}
