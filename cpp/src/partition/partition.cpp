#include "intarsia/partition/partition.hpp"

#include "intarsia/common/error.hpp"
#include "intarsia/distance/distance.hpp"
#include "intarsia/kmeans/centroids.hpp"

namespace intarsia {

PartitionSummary summarise(const WeightedPoints& points, std::span<const Label> labels, Index n_clusters) {
    check_weight_count(points.weights, points.n_points());
    check_labels(labels, points.n_points(), n_clusters);
    const Index d = points.n_dims();
    PartitionSummary summary;
    summary.centres.assign(static_cast<std::size_t>(n_clusters * d), 0.0);
    summary.costs.assign(static_cast<std::size_t>(n_clusters), 0.0);
    const Groups clusters = group_labels(labels, n_clusters);
    const MatrixView<double> centres(summary.centres.data(), n_clusters, d);
    const std::vector<char> every(static_cast<std::size_t>(n_clusters), 1);
    update_centroids(points, clusters, every, 1, centres);
    for (Label c = 0; c < n_clusters; ++c) {
        if (clusters[c].empty()) throw InvalidInput("a cluster is empty");
        for (Point i : clusters[c])
            summary.costs[c] += points.weight(i) * squared_distance(points.row(i), centres.row(c), d);
        summary.total += summary.costs[c];
    }
    return summary;
}

}  // namespace intarsia
