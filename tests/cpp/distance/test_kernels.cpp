#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "intarsia/common/rng.hpp"
#include "intarsia/distance/distance.hpp"
#include "intarsia/distance/kernels.hpp"
#include "intarsia/kmeans/centre_groups.hpp"

using namespace intarsia;

namespace {

// Wide vectors that no CPU here may have: the same code, so its logic is tested on any machine.
#include "../../../cpp/src/distance/kernels_direct.inl"
#include "../../../cpp/src/distance/kernels_few.inl"
#include "../../../cpp/src/distance/kernels_groups.inl"
#include "../../../cpp/src/distance/kernels_screen.inl"
#include "../../../cpp/src/distance/kernels_sieve.inl"
#include "../../../cpp/src/distance/kernels_table.inl"

template <class T>
std::vector<T> draw(Index n, std::uint64_t task) {
    Rng rng(5, Stage::kUser, task);
    std::vector<T> values(static_cast<std::size_t>(n));
    for (T& v : values) v = static_cast<T>(rng.uniform() * 8 - 4);
    return values;
}

template <class T>
void check_exact_kernels(const Kernels<T>& kernels, Index d, Index k) {
    const Index stride = (k + kPad - 1) / kPad * kPad;
    const auto x = draw<T>(d, 1);
    const auto rows = draw<T>(d * k, 2);
    std::vector<T> centres(static_cast<std::size_t>(d * stride), std::numeric_limits<T>::infinity());
    for (Index c = 0; c < k; ++c)
        for (Index j = 0; j < d; ++j) centres[j * stride + c] = rows[c * d + j];

    std::vector<T> all(static_cast<std::size_t>(stride));
    kernels.distances(x.data(), d, centres.data(), stride, all.data());
    Nearest<T> expected{0, std::numeric_limits<T>::infinity(), std::numeric_limits<T>::infinity()};
    for (Index c = 0; c < k; ++c) {
        const T plain = squared_distance(x.data(), rows.data() + c * d, d);
        CHECK(all[c] == plain);
        CHECK(kernels.between(x.data(), rows.data() + c * d, d) == doctest::Approx(plain).epsilon(1e-5));
        if (plain < expected.best) {
            expected.second = expected.best;
            expected = {c, plain, expected.second};
        } else {
            expected.second = std::min(expected.second, plain);
        }
    }
    const auto found = kernels.nearest(x.data(), d, centres.data(), stride);
    CHECK(found.position == expected.position);
    CHECK(found.best == expected.best);
    CHECK(found.second == expected.second);

    std::vector<T> mass(static_cast<std::size_t>(stride), T(1));
    for (Index c = 0; c < k; ++c) mass[c] = static_cast<T>(1 + c % 5);
    const Index skip = found.position;
    const auto target = kernels.insertion(x.data(), d, centres.data(), stride, mass.data(), T(2), skip);
    Index best = -1;
    T least = std::numeric_limits<T>::infinity();
    for (Index c = 0; c < k; ++c) {
        const T cost = mass[c] / (mass[c] + 2) * all[c];
        if (c != skip && cost < least) {
            least = cost;
            best = c;
        }
    }
    if (k > 1) {
        CHECK(target.position == best);
        CHECK(target.best == least);
    }
}

template <class T>
void check_screen(const Kernels<T>& kernels, Index d, Index n_panels) {
    const Index k = n_panels * kernels.tile;
    const auto panels = draw<T>(d * k, 3);
    const auto half_norms = draw<T>(k, 4);
    const auto points = draw<T>(2 * kGroup * d, 5);
    std::vector<Nearest<T>> out(2 * kGroup);
    kernels.screen(points.data(), 2, d, panels.data(), n_panels, half_norms.data(), out.data());
    for (Index p = 0; p < 2 * kGroup; ++p) {
        double best = 1e30;
        for (Index c = 0; c < k; ++c) {
            double value = half_norms[c];
            for (Index j = 0; j < d; ++j)
                value -= static_cast<double>(points[p / kGroup * kGroup * d + j * kGroup + p % kGroup]) *
                         panels[c / kernels.tile * kernels.tile * d + j * kernels.tile + c % kernels.tile];
            best = std::min(best, value);
        }
        CHECK(out[p].best == doctest::Approx(best).epsilon(1e-4));
    }
}

// Boxes around one point each are as far as the point; what the sieve keeps back is beyond the limit.
template <class T>
void check_neighbours(const Kernels<T>& kernels, Index d) {
    const auto x = draw<T>(d, 8);
    const auto leaf = draw<T>(d * kLeaf, 9);
    std::vector<T> group(static_cast<std::size_t>(d * 2 * kBoxes));
    for (Index j = 0; j < d; ++j)
        for (Index b = 0; b < 2 * kBoxes; ++b) group[j * 2 * kBoxes + b] = leaf[j * kLeaf + b % kBoxes];
    std::vector<T> squared(kLeaf), bound(kBoxes);
    const T limit = static_cast<T>(8 * d);
    const unsigned near = kernels.tree[0].leaf(x.data(), d, leaf.data(), limit, squared.data());
    const unsigned inside = kernels.tree[0].boxes(x.data(), d, group.data(), limit, bound.data());
    for (Index i = 0; i < kLeaf; ++i) {
        T plain = 0;
        for (Index j = 0; j < d; ++j) plain += (x[j] - leaf[j * kLeaf + i]) * (x[j] - leaf[j * kLeaf + i]);
        CHECK(squared[i] == plain);
        CHECK((near >> i & 1u) == (plain <= limit));
        if (i < kBoxes) CHECK(bound[i] == plain);
        if (i < kBoxes) CHECK((inside >> i & 1u) == (plain <= limit));
    }
    const Index k = 2 * kernels.tile;
    const auto panels = draw<T>(d * k, 10);
    const auto half_norms = draw<T>(k, 11);
    const auto points = draw<T>(2 * kGroup * d, 12);
    const std::vector<T> limits(2 * kGroup, T(-2));
    std::vector<SieveHit> hits(static_cast<std::size_t>(2 * kGroup * k));
    hits.resize(static_cast<std::size_t>(
        kernels.sieve(points.data(), 2, d, panels.data(), 2, half_norms.data(), limits.data(), hits.data())));
    for (Point p = 0; p < 2 * kGroup; ++p)
        for (Point c = 0; c < k; ++c) {
            double value = half_norms[c];
            for (Index j = 0; j < d; ++j)
                value -= static_cast<double>(points[p / kGroup * kGroup * d + j * kGroup + p % kGroup]) *
                         panels[c / kernels.tile * kernels.tile * d + j * kernels.tile + c % kernels.tile];
            const auto listed = std::count_if(hits.begin(), hits.end(), [&](const SieveHit& hit) {
                return hit.query == p && hit.position == c;
            });
            if (value < -2.001) CHECK(listed == 1);
            if (value > -1.999) CHECK(listed == 0);
        }
}

// The slack never promises more than the gap between the two nearest centres, and little less.
template <class T>
void check_few(const Kernels<T>& kernels, Index d, Index k) {
    const Index n = 2 * kFewLanes, n_blocks = (k + kFewBlock - 1) / kFewBlock;
    const auto points = draw<float>(n * d, 13), centres = draw<float>(k * d, 14);
    std::vector<float> blocks(static_cast<std::size_t>(n_blocks * kFewBlock * d), 0.0F), norms(n), slack(n);
    std::vector<float> half(static_cast<std::size_t>(n_blocks * kFewBlock),
                            std::numeric_limits<float>::infinity());
    std::vector<Label> labels(n);
    for (Index c = 0; c < k; ++c) {
        half[c] = 0;
        for (Index j = 0; j < d; ++j) {
            blocks[(c / kFewBlock * d + j) * kFewBlock + c % kFewBlock] = centres[c * d + j];
            half[c] += centres[c * d + j] * centres[c * d + j] / 2;
        }
    }
    for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < d; ++j) norms[i] += points[j * n + i] * points[j * n + i];
        norms[i] = std::sqrt(norms[i]);
    }
    const float reach = std::sqrt(2 * *std::max_element(half.begin(), half.begin() + k));
    const float error = 1.2e-7F * static_cast<float>(d + 8) / 2;
    kernels.few(points.data(), n, n, norms.data(), {blocks.data(), half.data(), n_blocks, d, reach, error},
                labels.data(), slack.data());
    for (Index i = 0; i < n; ++i) {
        std::vector<double> far;
        for (Index c = 0; c < k; ++c) {
            double sum = 0;
            for (Index j = 0; j < d; ++j) sum += std::pow(double(points[j * n + i]) - centres[c * d + j], 2);
            far.push_back(std::sqrt(sum));
        }
        const double own = far[labels[i]];
        far.erase(far.begin() + labels[i]);
        const double gap = far.empty() ? std::numeric_limits<double>::infinity()
                                       : *std::min_element(far.begin(), far.end()) - own;
        CHECK(slack[i] <= gap);
        if (!far.empty()) CHECK(slack[i] > gap - 0.05);
    }
}

// Tables that registers hold and tables that they do not; ends that fill no vector.
template <class T>
void check_out_of_slack(const Kernels<T>& kernels, Index k) {
    const Index n = 77;
    auto until = draw<float>(n, 17), lost = draw<float>(std::max(k, kFewTable), 18);
    std::vector<Label> labels(n);
    Rng rng(5, Stage::kUser, 19);
    for (Label& c : labels) c = static_cast<Label>(rng.below(static_cast<std::uint64_t>(k)));
    until[3] = lost[labels[3]];
    until[76] = -std::numeric_limits<float>::infinity();
    std::vector<Point> plain, found(n);
    for (Index i = 0; i < n; ++i)
        if (until[i] <= lost[labels[i]]) plain.push_back(static_cast<Point>(i));
    found.resize(static_cast<std::size_t>(
        kernels.out_of_slack(until.data(), labels.data(), n, lost.data(), k, found.data())));
    CHECK(found == plain);
}

template <class T>
void check_add_rows(const Kernels<T>& kernels, Index d) {
    const auto x = draw<T>(20 * d, 15);
    const auto w = draw<double>(20, 16);
    const std::vector<Point> rows{3, 4, 9, 17};
    std::vector<double> got(static_cast<std::size_t>(d + 1), 0.5), plain(got), once(got);
    for (Point i : rows) {
        for (Index j = 0; j < d; ++j) plain[j] += w[i] * static_cast<double>(x[i * d + j]);
        plain[d] += w[i];
    }
    kernels.add_rows(x.data(), d, rows.data(), 4, w.data(), got.data());
    CHECK(got == plain);
    kernels.add_rows(x.data(), d, rows.data(), 4, nullptr, once.data());
    CHECK(once[d] == 4.5);
}

// Two rounds by hand: labels from nothing, then kept up while the centres move.
template <class T>
void check_groups(const Kernels<T>& kernels, Index d, Index k) {
    const Index n = 50;
    const auto x = draw<T>(n * d, 6);
    auto places = draw<T>(k * d, 7);
    const MatrixView<const T> centres(places.data(), k, d);
    CentreGroups<T> groups(centres);
    std::vector<Label> labels(n, kNoLabel), found(n);
    std::vector<T> upper(n, std::numeric_limits<T>::infinity());
    std::vector<T> bounds(static_cast<std::size_t>(n * groups.table().n_bounds), T(0));
    const BoundTable<T> points{x.data(), labels.data(), upper.data(), bounds.data()};
    std::vector<Suspect<T>> suspects(n);
    for (Index i = 0; i < n; ++i) suspects[i] = {i, T(0), std::numeric_limits<T>::infinity()};
    Index n_suspects = n;
    for (int round = 0; round < 3; ++round) {
        kernels.search(groups.table(), points, suspects.data(), n_suspects, found.data());
        for (Index q = 0; q < n_suspects; ++q) labels[suspects[q].point] = found[q];
        for (Index i = 0; i < n; ++i) {
            const T own = squared_distance(x.data() + i * d, centres.row(labels[i]), d);
            for (Index c = 0; c < k; ++c) CHECK(own <= squared_distance(x.data() + i * d, centres.row(c), d));
        }
        for (T& v : places) v += (round + 1) * T(0.01);
        groups.move(centres);
        n_suspects = kernels.drift(groups.table(), points, 0, n, suspects.data());
        n_suspects = kernels.tighten(groups.table(), points, suspects.data(), n_suspects);
        CHECK(n_suspects < n);
    }
}

template <class T>
void check_all(const Kernels<T>& kernels) {
    for (Index d : {1, 2, 3, 4, 5, 6, 11})
        for (Index k : {1, 2, 15, 16, 17, 100}) check_exact_kernels(kernels, d, k);
    for (Index d : {1, 7, 32}) check_screen(kernels, d, 3);
    for (Index d : {1, 2, 3, 4, 5, 6, 17}) check_neighbours(kernels, d);
    for (Index d : {1, 2, 8, 19})
        for (Index k : {1, 4, 10}) check_few(kernels, d, k);
    for (Index k : {1, 8, 9, 16, 17, 200}) check_out_of_slack(kernels, k);
    for (Index d : {1, 2, 7, 8, 19}) check_add_rows(kernels, d);
    for (Index d : {2, 5})
        for (Index k : {3, 40, 300}) check_groups(kernels, d, k);
}

}  // namespace

TEST_CASE("the kernels of this CPU agree with plain loops") {
    check_all(kernels<double>());
    check_all(kernels<float>());
}

TEST_CASE("every vector width agrees with plain loops") {
    check_all(make_kernels<double, 2>());
    check_all(make_kernels<double, 4>());
    check_all(make_kernels<double, 8>());
    check_all(make_kernels<float, 4>());
    check_all(make_kernels<float, 8>());
    check_all(make_kernels<float, 16>());
}

TEST_CASE("equal distances go to the lowest position, in every lane") {
    const Index k = 64;
    std::vector<double> centres(k, 1.0);
    const double x = 0;
    for (Index far = 0; far < k; ++far) {
        if (far > 0) centres[far - 1] = 2.0;
        const auto found = kernels<double>().nearest(&x, 1, centres.data(), k);
        CHECK(found.position == far);
        CHECK(found.second == (far + 1 < k ? 1.0 : 4.0));
    }
}
