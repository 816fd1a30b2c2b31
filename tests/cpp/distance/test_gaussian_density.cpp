#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "intarsia/common/error.hpp"
#include "intarsia/common/rng.hpp"
#include "intarsia/distance/gaussian_density.hpp"

using namespace intarsia;

TEST_CASE("density is the mean of a Gaussian about every point") {
    const double width = 0.3;
    for (Index n : {1, 127, 300}) {
        for (Index d : {1, 3}) {
            Rng rng(1, Stage::kUser, static_cast<std::uint64_t>(n), static_cast<std::uint64_t>(d));
            std::vector<double> x(static_cast<std::size_t>(n * d)), places(static_cast<std::size_t>(70 * d));
            for (double& v : x) v = rng.uniform();
            for (double& v : places) v = 3 * rng.uniform();
            const auto found = gaussian_density<double>({x.data(), n, d}, {places.data(), 70, d}, width, 2);
            for (Index p = 0; p < 70; ++p) {
                double sum = 0;
                for (Index i = 0; i < n; ++i) {
                    double square = 0;
                    for (Index j = 0; j < d; ++j) square += std::pow(x[i * d + j] - places[p * d + j], 2);
                    sum += std::exp(-square / (2 * width * width));
                }
                const double height = std::pow(2 * std::numbers::pi * width * width, -0.5 * double(d));
                CHECK(found[p] == doctest::Approx(height * sum / double(n)).epsilon(1e-12));
            }
        }
    }
}

TEST_CASE("density far away is nothing, and widths are checked") {
    const std::vector<double> x{0, 1}, far{1e200};
    CHECK(gaussian_density<double>({x.data(), 2, 1}, {far.data(), 1, 1}, 1, 1)[0] == 0);
    CHECK_THROWS_AS(gaussian_density<double>({x.data(), 2, 1}, {far.data(), 1, 1}, 0, 1), InvalidInput);
    CHECK_THROWS_AS(gaussian_density<double>({x.data(), 1, 2}, {far.data(), 1, 1}, 1, 1), InvalidInput);
}
