#include "intarsia/pmedian/metric.hpp"

#include <string>

namespace intarsia {

Metric metric_of(std::string_view name) {
    if (name == "euclidean") return Metric::kEuclidean;
    if (name == "sqeuclidean") return Metric::kSquared;
    if (name == "cosine") return Metric::kCosine;
    if (name == "manhattan") return Metric::kManhattan;
    if (name == "precomputed") return Metric::kPrecomputed;
    throw InvalidInput("metric='" + std::string(name) + "' is none that is known.");
}

void check_space(const Space& space) {
    check_points(space.points, space.n_points());
    if (space.n_points() < 1) throw InvalidInput("there should be at least one point.");
    if (space.metric == Metric::kPrecomputed && space.points.n_dims() != space.n_points())
        throw InvalidInput("a matrix of distances should be square.");
}

}  // namespace intarsia
