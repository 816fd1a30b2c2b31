#include "intarsia/ensemble/cluster_overlap.hpp"

#include <algorithm>

#include "intarsia/common/parallel.hpp"
#include "intarsia/ensemble/indicator.hpp"

namespace intarsia {

namespace {

constexpr Index kColumnsPerTask = 16;

/// Labels member by member: a pair of members is two runs through memory.
std::vector<Label> by_member(MatrixView<const Label> labels) {
    std::vector<Label> columns(static_cast<std::size_t>(labels.n_rows() * labels.n_cols()));
    for (Index i = 0; i < labels.n_rows(); ++i)
        for (Index q = 0; q < labels.n_cols(); ++q)
            columns[static_cast<std::size_t>(q * labels.n_rows() + i)] = labels(i, q);
    return columns;
}

/// The missing label gets the row and column before the first, which nobody reads.
class PairTable {
  public:
    PairTable(Index n_rows, Index n_cols)
        : width_(n_cols + 1), counts_(static_cast<std::size_t>((n_rows + 1) * width_)) {}

    void add(Label a, Label b, double weight) {
        counts_[static_cast<std::size_t>((a + 1) * width_ + b + 1)] += weight;
    }
    double at(Index a, Index b) const { return counts_[static_cast<std::size_t>((a + 1) * width_ + b + 1)]; }

  private:
    Index width_;
    std::vector<double> counts_;
};

void mirror(MatrixView<double> square) {
    for (Index a = 0; a < square.n_rows(); ++a)
        for (Index b = 0; b < a; ++b) square(a, b) = square(b, a);
}

void check_weights(Index n_rows, std::span<const double> weights) {
    if (std::ssize(weights) != n_rows) throw InvalidInput("expected one weight for each point");
}

}  // namespace

std::vector<double> cluster_overlap(MatrixView<const Label> labels, std::span<const Index> offsets,
                                    std::span<const double> point_weights, int n_threads) {
    Indicator{labels, offsets, {}}.check();
    check_weights(labels.n_rows(), point_weights);
    const Index n = labels.n_rows(), r = labels.n_cols(), width = offsets.back();
    const std::vector<Label> columns = by_member(labels);
    std::vector<double> overlap(static_cast<std::size_t>(width * width));
    const MatrixView<double> out(overlap.data(), width, width);
    parallel_for(r * r, n_threads, [&](Index task) {
        const Index q = task / r, p = task % r;
        if (p < q) return;
        const Index rows = offsets[q + 1] - offsets[q], cols = offsets[p + 1] - offsets[p];
        const Label *a = columns.data() + q * n, *b = columns.data() + p * n;
        PairTable table(rows, cols);
        for (Index i = 0; i < n; ++i) table.add(a[i], b[i], point_weights[static_cast<std::size_t>(i)]);
        for (Index x = 0; x < rows; ++x)
            for (Index y = 0; y < cols; ++y) out(offsets[q] + x, offsets[p] + y) = table.at(x, y);
    });
    mirror(out);
    return overlap;
}

std::vector<double> membership_gram(MatrixView<const double> memberships,
                                    std::span<const double> point_weights, int n_threads) {
    check_weights(memberships.n_rows(), point_weights);
    const Index width = memberships.n_cols();
    std::vector<double> gram(static_cast<std::size_t>(width * width));
    const MatrixView<double> out(gram.data(), width, width);
    for_chunks(
        width, n_threads,
        [&](Index begin, Index end) {
            for (Index i = 0; i < memberships.n_rows(); ++i) {
                const double* row = memberships.row(i);
                for (Index a = begin; a < end; ++a) {
                    const double mine = row[a] * point_weights[static_cast<std::size_t>(i)];
                    if (mine == 0) continue;
                    double* sums = out.row(a);
                    for (Index b = a; b < width; ++b) sums[b] += mine * row[b];
                }
            }
        },
        kColumnsPerTask);
    mirror(out);
    return gram;
}

std::vector<double> unseen_squares(MatrixView<const double> memberships, MatrixView<const Label> labels,
                                   std::span<const double> point_weights) {
    check_weights(memberships.n_rows(), point_weights);
    if (labels.n_rows() != memberships.n_rows())
        throw InvalidInput("expected one row of labels for each point");
    const Index r = labels.n_cols();
    std::vector<double> unseen(static_cast<std::size_t>(memberships.n_cols() * r));
    for (Index i = 0; i < labels.n_rows(); ++i) {
        for (Index q = 0; q < r; ++q) {
            if (labels(i, q) != kNoLabel) continue;
            for (Index c = 0; c < memberships.n_cols(); ++c) {
                const double s = memberships(i, c);
                unseen[static_cast<std::size_t>(c * r + q)] +=
                    point_weights[static_cast<std::size_t>(i)] * s * s;
            }
        }
    }
    return unseen;
}

}  // namespace intarsia
