#pragma once

#include <span>
#include <vector>

#include "intarsia/common/weighted_points.hpp"

namespace intarsia {

/// Centres and costs of a partition, always computed afresh: whoever found it, the figures are the same bits.
struct PartitionSummary {
    std::vector<double> centres;
    std::vector<double> costs;  // weighted sum of squared distances of each cluster
    double total = 0;           // the costs added in cluster order
};

/// Every label must be in [0, n_clusters) and no cluster may be empty.
PartitionSummary summarise(const WeightedPoints& points, std::span<const Label> labels, Index n_clusters);

}  // namespace intarsia
