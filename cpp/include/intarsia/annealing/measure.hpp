#pragma once

namespace intarsia {

/// How much a partition agrees with a member: all are 1 for equal partitions. Where a measure is 0/0 it is 1
/// if both partitions are all singletons or both one cluster, else 0.
enum class Measure {
    kCorrectedRand,  ///< (h0 - h1 h2 / P) / ((h1 + h2) / 2 - h1 h2 / P), P all pairs
    kJaccard,        ///< h0 / (h1 + h2 - h0)
    kWallace,        ///< h0 / sqrt(h1 h2)
    kNmi,            ///< mutual information over the geometric mean of the entropies
};

}  // namespace intarsia
