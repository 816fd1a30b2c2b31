#include "intarsia/partition/kmeans_within_sizes.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

#include "intarsia/common/error.hpp"
#include "intarsia/distance/centre_block.hpp"
#include "intarsia/partition/partition.hpp"
#include "intarsia/partition/size_flow.hpp"

namespace intarsia {

namespace {

void check_start(const WeightedPoints& points, MatrixView<const double> start) {
    check_points(points, points.n_points());
    if (start.n_cols() != points.n_dims())
        throw InvalidInput("centres have " + std::to_string(start.n_cols()) + " columns, the points " +
                           std::to_string(points.n_dims()) + ".");
    if (start.n_rows() < 1) throw InvalidInput("k-means needs at least one centre");
}

// Weighted squared distances, from centres laid out for the kernels.
class DistanceCosts {
  public:
    DistanceCosts(const WeightedPoints& points, MatrixView<const double> centres)
        : points_(points), n_clusters_(centres.n_rows()), block_(centres, all(centres.n_rows()), {}) {}

    AssignmentCosts costs() {
        return {points_.n_points(), n_clusters_, [this](Index i, double* row) { fill(i, row); }};
    }

  private:
    static std::vector<Label> all(Index k) {
        std::vector<Label> ids(k);
        std::iota(ids.begin(), ids.end(), Label{0});
        return ids;
    }

    void fill(Index i, double* row) {
        block_.distances(points_.row(i), padded_);
        for (Index c = 0; c < n_clusters_; ++c) row[c] = points_.weight(i) * padded_[c];
    }

    WeightedPoints points_;
    Index n_clusters_;
    CentreBlock<double> block_;
    std::vector<double> padded_;
};

}  // namespace

std::vector<Label> kmeans_within_sizes(const WeightedPoints& points, MatrixView<const double> start,
                                       SizeLimits sizes, Index max_flows,
                                       const std::function<bool()>& is_late) {
    check_start(points, start);
    const Index d = points.n_dims();
    const Index k = start.n_rows();
    std::vector<double> centres(start.data(), start.data() + k * d);
    std::vector<Label> labels;
    std::vector<double> prices(k + 1, 0.0);
    double total = std::numeric_limits<double>::infinity();
    for (Index flow = 0; flow < max_flows; ++flow) {
        DistanceCosts distances(points, {centres.data(), k, d});
        std::vector<Label> found = assign_within_sizes(distances.costs(), sizes, prices, is_late);
        if (found.empty()) break;
        PartitionSummary summary = summarise(points, found, k);
        if (!(summary.total < total)) break;
        labels = std::move(found);
        centres = std::move(summary.centres);
        total = summary.total;
        if (is_late && is_late()) break;
    }
    return labels;
}

}  // namespace intarsia
