#include "intarsia/pool/column_cost.hpp"

#include <algorithm>

#include "intarsia/common/error.hpp"
#include "intarsia/common/label_groups.hpp"
#include "intarsia/distance/distance.hpp"

namespace intarsia {

double column_mean(const WeightedPoints& points, std::span<const Point> members, std::span<double> mean) {
    const Index d = points.x.n_cols();
    double total = 0;
    std::fill(mean.begin(), mean.end(), 0.0);
    for (Point i : members) {
        const double w = points.weight(i);
        const double* row = points.x.row(i);
        for (Index f = 0; f < d; ++f) mean[static_cast<std::size_t>(f)] += w * row[f];
        total += w;
    }
    for (double& value : mean) value /= total;
    return total;
}

double column_sse(const WeightedPoints& points, std::span<const Point> members) {
    const Index d = points.x.n_cols();
    thread_local std::vector<double> mean;
    mean.resize(static_cast<std::size_t>(d));
    column_mean(points, members, mean);
    double sum = 0;
    for (Point i : members) sum += points.weight(i) * squared_distance(points.x.row(i), mean.data(), d);
    return sum;
}

std::vector<Index> add_clusters(ColumnPool& pool, const WeightedPoints& points, std::span<const Label> labels,
                                Index k, std::int32_t origin, const SizeLimits& sizes) {
    check_points(points, pool.n_points());
    if (static_cast<Index>(labels.size()) != pool.n_points()) {
        throw InvalidInput("labels should have one entry for each point of the pool.");
    }
    const Groups groups = group_labels(labels, k);
    std::vector<Index> ids(static_cast<std::size_t>(k), ColumnPool::kAbsent);
    for (Index c = 0; c < k; ++c) {
        if (!sizes.allow(std::ssize(groups[c]))) continue;
        Index& id = ids[static_cast<std::size_t>(c)];
        id = pool.find(groups[c]);
        if (id == ColumnPool::kAbsent) id = pool.add(groups[c], column_sse(points, groups[c]), origin).id;
    }
    return ids;
}

}  // namespace intarsia
