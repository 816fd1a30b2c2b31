#include "intarsia/neighbours/point_panels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "intarsia/distance/distance.hpp"
#include "intarsia/distance/kernels.hpp"

namespace intarsia {

namespace {

constexpr Index kPanelsAtOnce = 8;  // limits are renewed between: they tighten quickly at first

std::vector<double> mean_point(MatrixView<const double> x) {
    std::vector<double> mean(static_cast<std::size_t>(x.n_cols()), 0.0);
    const double share = 1.0 / static_cast<double>(x.n_rows());
    for (Index i = 0; i < x.n_rows(); ++i)
        for (Index j = 0; j < x.n_cols(); ++j) mean[j] += share * x(i, j);
    return mean;
}

}  // namespace

PointPanels::PointPanels(MatrixView<const double> x) : x_(x), origin_(mean_point(x)) {
    const Index tile = kernels<double>().tile, d = x.n_cols();
    const Index padded = (x.n_rows() + tile - 1) / tile * tile;
    panels_.assign(static_cast<std::size_t>(padded * d), 0.0);
    half_norms_.assign(static_cast<std::size_t>(padded), std::numeric_limits<double>::infinity());
    for (Index i = 0; i < x.n_rows(); ++i) {
        double* panel = panels_.data() + i / tile * tile * d + i % tile;
        double norm = 0;
        for (Index j = 0; j < d; ++j) {
            const double value = x(i, j) - origin_[j];
            panel[j * tile] = value;
            norm += value * value;
        }
        half_norms_[i] = norm / 2;
        max_norm_ = std::max(max_norm_, std::sqrt(norm));
    }
}

/// Queries as the sieve takes them, and what turns a squared distance into its limit.
struct PointPanels::Batch {
    std::vector<double> groups;  // group g: [dim][kGroup], less the origin
    std::array<double, kBatch> norm2{};
    std::array<double, kBatch> error{};
    std::array<double, kBatch> limits{};

    // Product and plain sum both err by less than `error`: no pair within `squared` stays below the limit.
    void set_limit(Index q, double squared) { limits[q] = (squared - norm2[q] + error[q]) / 2; }
};

PointPanels::Batch PointPanels::packed(std::span<const Query> queries) const {
    const Index d = x_.n_cols(), n = static_cast<Index>(queries.size());
    Batch batch;
    batch.groups.assign(static_cast<std::size_t>((n + kGroup - 1) / kGroup * kGroup * d), 0.0);
    // a group's padding lets nothing pass
    batch.limits.fill(-std::numeric_limits<double>::infinity());
    for (Index q = 0; q < n; ++q) {
        double* to = batch.groups.data() + q / kGroup * kGroup * d + q % kGroup;
        for (Index j = 0; j < d; ++j) {
            const double value = queries[q].at[j] - origin_[j];
            to[j * kGroup] = value;
            batch.norm2[q] += value * value;
        }
        const double reach = std::sqrt(batch.norm2[q]) + max_norm_;
        batch.error[q] =
            8 * static_cast<double>(d + 8) * std::numeric_limits<double>::epsilon() * reach * reach;
    }
    return batch;
}

// Calls take(q, neighbour) for every pair that passes, measured exactly; limit(q) is a squared distance and
// may shrink meanwhile.
template <class Limit, class Take>
void PointPanels::sift(std::span<const Query> queries, Limit&& limit, Take&& take) const {
    const Index tile = kernels<double>().tile, d = x_.n_cols(), n = static_cast<Index>(queries.size());
    const Index n_panels = static_cast<Index>(half_norms_.size()) / tile;
    Batch batch = packed(queries);
    std::vector<SieveHit> hits(static_cast<std::size_t>(kBatch * kPanelsAtOnce * tile));
    for (Index panel = 0; panel < n_panels; panel += kPanelsAtOnce) {
        for (Index q = 0; q < n; ++q) batch.set_limit(q, limit(q));
        const Index n_hits = kernels<double>().sieve(
            batch.groups.data(), (n + kGroup - 1) / kGroup, d, panels_.data() + panel * tile * d,
            std::min(kPanelsAtOnce, n_panels - panel), half_norms_.data() + panel * tile, batch.limits.data(),
            hits.data());
        for (Index h = 0; h < n_hits; ++h) {
            const Index q = hits[h].query, i = panel * tile + hits[h].position;
            if (q >= n || i >= x_.n_rows() || i == queries[q].left_out) continue;
            take(q, Neighbour{squared_distance(queries[q].at, x_.row(i), d), static_cast<Point>(i)});
        }
    }
}

void PointPanels::nearest(std::span<const Query> queries, std::span<NearestFew> found) const {
    sift(
        queries, [&](Index q) { return found[q].last().squared; },
        [&](Index q, Neighbour neighbour) { found[q].offer(neighbour); });
}

void PointPanels::within(std::span<const Query> queries, double limit,
                         std::span<std::vector<Neighbour>> found) const {
    sift(
        queries, [&](Index) { return limit; },
        [&](Index q, Neighbour neighbour) {
            if (neighbour.squared <= limit) found[q].push_back(neighbour);
        });
}

}  // namespace intarsia
