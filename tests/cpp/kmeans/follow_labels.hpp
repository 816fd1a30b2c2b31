#pragma once

#include <doctest/doctest.h>

#include <vector>

#include "intarsia/common/rng.hpp"
#include "intarsia/distance/distance.hpp"

namespace intarsia::testing {

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

// Labels that follow moving centres are those of the plain algorithm; make(points) returns what follows them.
template <class T, class Make>
void follow(Index n, Index d, Index k, Make&& make) {
    Rng rng(3, Stage::kUser, static_cast<std::uint64_t>(100 * k + d));
    const auto points = lattice<T>(n * d, rng);
    auto places = lattice<T>(k * d, rng);
    const MatrixView<const T> x(points.data(), n, d);
    const MatrixView<const T> centres(places.data(), k, d);
    auto assignment = make(x);
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

}  // namespace intarsia::testing
