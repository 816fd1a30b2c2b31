#include "intarsia/boosting/hypothesis.hpp"

#include <algorithm>
#include <cmath>

#include "intarsia/common/error.hpp"
#include "intarsia/common/parallel.hpp"

namespace intarsia {

namespace {

void check(MatrixView<const double> rows) {
    if (rows.n_cols() < 1) throw InvalidInput("memberships need at least one column.");
}

Label largest(const double* row, Index k) {
    Label best = 0;
    double most = row[0];
    for (Index c = 1; c < k; ++c) {
        // without branches: who leads is a coin toss that no predictor learns
        best = row[c] > most ? static_cast<Label>(c) : best;
        most = row[c] > most ? row[c] : most;
    }
    return best;
}

// out[i] = of_row(row i) for every row.
template <class Out, class Fn>
std::vector<Out> by_row(MatrixView<const double> rows, int n_threads, Fn&& of_row) {
    check(rows);
    std::vector<Out> out(static_cast<std::size_t>(rows.n_rows()));
    for_chunks(rows.n_rows(), n_threads, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) out[i] = of_row(rows.row(i));
    });
    return out;
}

}  // namespace

std::vector<double> minmax_quality(MatrixView<const double> memberships, int n_threads) {
    const Index k = memberships.n_cols();
    return by_row<double>(memberships, n_threads, [k](const double* h) {
        double good = h[0], bad = h[0];
        for (Index c = 1; c < k; ++c) {
            good = std::max(good, h[c]);
            bad = std::min(bad, h[c]);
        }
        return 1 - good + bad;
    });
}

std::vector<double> entropy_quality(MatrixView<const double> memberships, double log_base, int n_threads) {
    if (!(log_base > 0 && std::isfinite(log_base))) throw InvalidInput("the logarithm's base should be > 1.");
    const Index k = memberships.n_cols();
    return by_row<double>(memberships, n_threads, [k, log_base](const double* h) {
        double sum = 0;
        for (Index c = 0; c < k; ++c)
            if (h[c] > 0) sum -= h[c] * std::log(h[c]);
        return sum / log_base;
    });
}

std::vector<Label> add_votes(MatrixView<double> votes, MatrixView<const double> memberships,
                             std::span<const Label> names, double weight, int n_threads) {
    check(memberships);
    if (votes.n_rows() != memberships.n_rows()) throw InvalidInput("votes and memberships differ in length.");
    if (static_cast<Index>(names.size()) != memberships.n_cols())
        throw InvalidInput("every column of memberships needs one name.");
    for (Label name : names)
        if (name < 0 || name >= votes.n_cols()) throw InvalidInput("names should be columns of votes.");
    std::vector<Label> leaders(static_cast<std::size_t>(votes.n_rows()));
    for_chunks(votes.n_rows(), n_threads, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            const double* h = memberships.row(i);
            double* out = votes.row(i);
            for (Index c = 0; c < memberships.n_cols(); ++c) out[names[c]] += weight * h[c];
            leaders[i] = largest(out, votes.n_cols());
        }
    });
    return leaders;
}

std::vector<Label> largest_columns(MatrixView<const double> rows, int n_threads) {
    return by_row<Label>(rows, n_threads, [k = rows.n_cols()](const double* row) { return largest(row, k); });
}

}  // namespace intarsia
