#include "intarsia/ensemble/pair_histogram.hpp"

#include <algorithm>
#include <numeric>

#include "intarsia/common/error.hpp"
#include "intarsia/common/parallel.hpp"

namespace intarsia {

namespace {

constexpr double kTolerance = 1e-12;  // sums of member weights may miss a threshold by rounding
constexpr Index kRowsPerTask = 64;

void check(const WeightedRows& rows) {
    if (static_cast<Index>(rows.member_weights.size()) != rows.labels.n_cols())
        throw InvalidInput("one weight is needed for each member");
    if (static_cast<Index>(rows.point_weights.size()) != rows.labels.n_rows())
        throw InvalidInput("one weight is needed for each row");
}

/// Counts by the first threshold that is not below the value; the last slot holds those above all.
class Histogram {
  public:
    explicit Histogram(std::span<const double> thresholds)
        : thresholds_(thresholds), counts_(thresholds.size() + 1, 0.0) {}

    void add(double value, double count) {
        const auto slot = std::lower_bound(thresholds_.begin(), thresholds_.end(), value - kTolerance);
        counts_[static_cast<std::size_t>(slot - thresholds_.begin())] += count;
    }

    void add(const Histogram& other) {
        std::transform(counts_.begin(), counts_.end(), other.counts_.begin(), counts_.begin(), std::plus<>());
    }

    std::vector<double> cumulated() const {
        std::vector<double> sums(thresholds_.size());
        std::partial_sum(counts_.begin(), counts_.end() - 1, sums.begin());
        return sums;
    }

  private:
    std::span<const double> thresholds_;
    std::vector<double> counts_;
};

void add_row(const WeightedRows& rows, Index i, Histogram& histogram) {
    const double w = rows.point_weights[i];
    histogram.add(1.0, w * (w - 1) / 2);  // the pairs within a row
    for (Index j = i + 1; j < rows.labels.n_rows(); ++j)
        histogram.add(coassociation(rows, i, j), w * rows.point_weights[j]);
}

}  // namespace

double coassociation(const WeightedRows& rows, Index i, Index j) {
    const Label* a = rows.labels.row(i);
    const Label* b = rows.labels.row(j);
    double joined = 0;
    double known = 0;
    for (Index q = 0; q < rows.labels.n_cols(); ++q) {
        const double w = a[q] >= 0 && b[q] >= 0 ? rows.member_weights[q] : 0.0;
        known += w;
        joined += a[q] == b[q] ? w : 0.0;
    }
    return known > 0 ? joined / known : 0.0;
}

std::vector<double> pairs_up_to(const WeightedRows& rows, std::span<const double> thresholds, int n_threads) {
    check(rows);
    const Index n = rows.labels.n_rows();
    std::vector<Histogram> partial(static_cast<std::size_t>(n_chunks(n, kRowsPerTask)),
                                   Histogram(thresholds));
    for_chunks(
        n, n_threads,
        [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i)
                add_row(rows, i, partial[static_cast<std::size_t>(begin / kRowsPerTask)]);
        },
        kRowsPerTask);
    Histogram total(thresholds);
    for (const auto& part : partial) total.add(part);
    return total.cumulated();
}

std::vector<double> sampled_pairs_up_to(const WeightedRows& rows, std::span<const Index> first,
                                        std::span<const Index> second, std::span<const double> thresholds) {
    check(rows);
    if (first.size() != second.size()) throw InvalidInput("first and second differ in length");
    Histogram histogram(thresholds);
    for (std::size_t p = 0; p < first.size(); ++p) {
        const Index i = first[p];
        const Index j = second[p];
        if (std::min(i, j) < 0 || std::max(i, j) >= rows.labels.n_rows())
            throw InvalidInput("a pair names a row that does not exist");
        histogram.add(i == j ? 1.0 : coassociation(rows, i, j), 1.0);
    }
    return histogram.cumulated();
}

}  // namespace intarsia
