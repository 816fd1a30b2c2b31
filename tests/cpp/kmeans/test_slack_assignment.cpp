#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "follow_labels.hpp"
#include "intarsia/kmeans/slack_assignment.hpp"

using namespace intarsia;
using namespace intarsia::testing;

namespace {

// Points about an offset, of which the first lies far out: most slacks last while the centres creep.
template <class T>
void creep(Index n, Index d, Index k, double scale, double offset, double outlier) {
    Rng rng(11, Stage::kUser, static_cast<std::uint64_t>(n + k));
    std::vector<T> points(static_cast<std::size_t>(n * d)), places(static_cast<std::size_t>(k * d));
    for (T& v : points) v = static_cast<T>(scale * (rng.uniform() + rng.uniform()) + offset);
    for (T& v : places) v = static_cast<T>(scale * (rng.uniform() + rng.uniform()) + offset);
    points[0] = static_cast<T>(outlier * scale + offset);
    const MatrixView<const T> x(points.data(), n, d), centres(places.data(), k, d);
    SlackAssignment<T> assignment(x, k, 2);
    std::vector<char> touched(static_cast<std::size_t>(k));
    for (Index round = 0; round < 25; ++round) {
        assignment.update(centres, touched);
        Index n_wrong = 0;
        for (Index i = 0; i < n; ++i) n_wrong += assignment.labels()[i] != plain_nearest(centres, x.row(i));
        REQUIRE(n_wrong == 0);
        for (T& v : places) v += static_cast<T>(scale * 0.02 / (1 + round) * (rng.uniform() - 0.5));
    }
}

}  // namespace

TEST_CASE("slacks give the labels of the plain algorithm while centres jump") {
    for (Index d : {1, 2, 5, 8, 33})
        for (Index k : {1, 2, 5, 16, 70}) {
            follow<double>(700, d, k, [k](auto x) { return SlackAssignment<double>(x, k, 1); });
            follow<float>(700, d, k, [k](auto x) { return SlackAssignment<float>(x, k, 3); });
            follow<double>(700, d, k, [k](auto x) { return SlackAssignment<double>(x, k, 2, 0); });
            follow<float>(700, d, k, [k](auto x) { return SlackAssignment<float>(x, k, 1, 0); });
        }
}

TEST_CASE("slacks give the labels of the plain algorithm while centres creep") {
    for (Index d : {1, 2, 8, 20}) {
        creep<double>(1500, d, 10, 1, 0, 0);
        creep<double>(1500, d, 3, 1e-30, 0, 1e5);
        creep<double>(1500, d, 10, 1e200, 0, 1);  // squares beyond float32
        creep<double>(1500, d, 10, 1e-3, 1e6, 1);
        creep<float>(1500, d, 10, 1, 0, 1e4);
        creep<float>(1500, d, 10, 1, 1000, 0);
    }
}

TEST_CASE("slacks are forgotten when a centre moves farther than numbers reach") {
    const double far = std::numeric_limits<double>::max() / 2;
    const std::vector<double> points{0, 1, 2, 3};
    std::vector<double> places{0, 3};
    SlackAssignment<double> assignment({points.data(), 4, 1}, 2, 1);
    std::vector<char> touched(2);
    assignment.update({places.data(), 2, 1}, touched);
    places = {far, 3};
    assignment.update({places.data(), 2, 1}, touched);
    CHECK(std::ranges::count(assignment.labels(), 1) == 4);
    places = {0, 3};
    assignment.update({places.data(), 2, 1}, touched);
    CHECK(std::ranges::count(assignment.labels(), 0) == 2);
}
