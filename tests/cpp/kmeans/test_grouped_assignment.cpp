#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

#include "intarsia/common/rng.hpp"
#include "intarsia/distance/distance.hpp"
#include "intarsia/kmeans/centre_groups.hpp"
#include "intarsia/kmeans/grouped_assignment.hpp"

using namespace intarsia;

namespace {

// Whole numbers: many distances are equal.
template <class T>
std::vector<T> lattice(Index n, Rng& rng) {
    std::vector<T> values(static_cast<std::size_t>(n));
    for (T& v : values) v = static_cast<T>(rng.below(12));
    return values;
}

template <class T>
Label plain_nearest(MatrixView<const T> centres, const T* x) {
    Label nearest = 0;
    for (Label c = 1; c < centres.n_rows(); ++c)
        if (squared_distance(x, centres.row(c), centres.n_cols()) <
            squared_distance(x, centres.row(nearest), centres.n_cols()))
            nearest = c;
    return nearest;
}

// Sometimes all centres move a little, sometimes one jumps.
template <class T>
void move_some(std::vector<T>& centres, Index d, Index round, Rng& rng) {
    if (round % 3 == 0)
        for (T& v : centres) v += static_cast<T>(0.05 * rng.uniform());
    const auto c = static_cast<std::size_t>(rng.below(centres.size() / static_cast<std::size_t>(d)));
    for (Index j = 0; j < d; ++j)
        centres[c * static_cast<std::size_t>(d) + j] = static_cast<T>(rng.below(12));
}

template <class T>
void follow(Index n, Index d, Index k, int n_threads) {
    Rng rng(3, Stage::kUser, static_cast<std::uint64_t>(100 * k + d));
    const auto points = lattice<T>(n * d, rng);
    auto places = lattice<T>(k * d, rng);
    const MatrixView<const T> x(points.data(), n, d);
    const MatrixView<const T> centres(places.data(), k, d);
    GroupedAssignment<T> assignment(x, n_threads);
    for (Index round = 0; round < 12; ++round) {
        const std::vector<Label> before(assignment.labels().begin(), assignment.labels().end());
        std::vector<char> touched(static_cast<std::size_t>(k), 0);
        std::vector<char> expected(touched);
        const Index n_changed = assignment.update(centres, touched);
        Index n_different = 0;
        for (Index i = 0; i < n; ++i) {
            const Label now = assignment.labels()[i];
            REQUIRE(now == plain_nearest(centres, x.row(i)));
            if (now == before[i]) continue;
            ++n_different;
            expected[now] = 1;
            if (before[i] != kNoLabel) expected[before[i]] = 1;
        }
        CHECK(n_changed == n_different);
        CHECK(touched == expected);
        assignment.force(round, static_cast<Label>(round % k));
        move_some(places, d, round, rng);
    }
}

}  // namespace

TEST_CASE("group bounds give the labels of the plain algorithm while centres move") {
    for (Index d : {1, 2, 3, 5, 7})
        for (Index k : {1, 5, 16, 17, 100}) {
            follow<double>(700, d, k, 1);
            follow<float>(700, d, k, 3);
        }
    follow<double>(1200, 2, 700, 2);  // more centres than narrow groups hold
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
