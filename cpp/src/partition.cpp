#include "intarsia/partition.hpp"

#include <algorithm>

#include "intarsia/centroids.hpp"
#include "intarsia/distance.hpp"
#include "intarsia/error.hpp"

namespace intarsia {

namespace {

void check_labels(Index n, std::span<const Label> labels, Index n_clusters) {
    if (static_cast<Index>(labels.size()) != n) throw InvalidInput("labels and points differ in length");
    if (std::any_of(labels.begin(), labels.end(), [&](Label c) { return c < 0 || c >= n_clusters; }))
        throw InvalidInput("a label lies outside [0, n_clusters)");
}

}  // namespace

PartitionSummary summarise(MatrixView<const double> x, std::span<const double> weights,
                           std::span<const Label> labels, Index n_clusters) {
    check_labels(x.n_rows(), labels, n_clusters);
    PartitionSummary summary;
    summary.centres.assign(static_cast<std::size_t>(n_clusters * x.n_cols()), 0.0);
    summary.costs.assign(static_cast<std::size_t>(n_clusters), 0.0);
    const Members members = group_by_label(labels, n_clusters);
    const MatrixView<double> centres(summary.centres.data(), n_clusters, x.n_cols());
    const std::vector<char> every(static_cast<std::size_t>(n_clusters), 1);
    update_centroids(x, weights, members, every, 1, centres);
    for (Label c = 0; c < n_clusters; ++c) {
        if (members.of(c).empty()) throw InvalidInput("a cluster is empty");
        for (std::int32_t i : members.of(c))
            summary.costs[c] +=
                (weights.empty() ? 1.0 : weights[i]) * squared_distance(x.row(i), centres.row(c), x.n_cols());
        summary.total += summary.costs[c];
    }
    return summary;
}

}  // namespace intarsia
