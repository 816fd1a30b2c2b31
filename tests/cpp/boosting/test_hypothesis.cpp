#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "intarsia/boosting/hypothesis.hpp"
#include "intarsia/common/error.hpp"

using namespace intarsia;

TEST_CASE("quality of hard, even and mixed memberships") {
    const std::vector<double> h{1, 0, 0, 1.0 / 3, 1.0 / 3, 1.0 / 3, 0.7, 0.2, 0.1};
    const MatrixView<const double> rows(h.data(), 3, 3);
    const auto minmax = minmax_quality(rows, 2);
    CHECK(minmax[0] == 0);
    CHECK(minmax[1] == doctest::Approx(1));
    CHECK(minmax[2] == doctest::Approx(0.4));
    const auto entropy = entropy_quality(rows, std::log(3.0), 2);
    CHECK(entropy[0] == 0);
    CHECK(entropy[1] == doctest::Approx(1));
    CHECK(entropy[2] == doctest::Approx(0.8018185525433373 / std::log(3.0)));
    CHECK_THROWS_AS(entropy_quality(rows, 0, 1), InvalidInput);
    CHECK_THROWS_AS(minmax_quality({h.data(), 9, 0}, 1), InvalidInput);
}

TEST_CASE("votes go to renamed columns, ties to the first") {
    std::vector<double> sums(4, 0.0);
    const MatrixView<double> votes(sums.data(), 2, 2);
    const std::vector<double> h{0.75, 0.25, 0.5, 0.5};
    const MatrixView<const double> rows(h.data(), 2, 2);
    add_votes(votes, rows, std::vector<Label>{1, 0}, 2, 1);
    CHECK(sums == std::vector<double>{0.5, 1.5, 1, 1});
    CHECK(largest_columns(votes, 1) == std::vector<Label>{1, 0});
    add_votes(votes, rows, std::vector<Label>{0, 0}, 1, 1);  // two clusters under one name
    CHECK(sums == std::vector<double>{1.5, 1.5, 2, 1});
    CHECK_THROWS_AS(add_votes(votes, rows, std::vector<Label>{0, 2}, 1, 1), InvalidInput);
    CHECK_THROWS_AS(add_votes(votes, rows, std::vector<Label>{0}, 1, 1), InvalidInput);
}
