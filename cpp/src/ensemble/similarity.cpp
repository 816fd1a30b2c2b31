#include "intarsia/ensemble/similarity.hpp"

#include <algorithm>

#include "intarsia/common/error.hpp"
#include "intarsia/common/parallel.hpp"

namespace intarsia {

namespace {

constexpr Index kRowsPerTask = 64;

}  // namespace

void full_row(const Similarity& similarity, Index i, std::vector<float>& out) {
    out.resize(static_cast<std::size_t>(similarity.n_targets()));
    similarity.row(i, 0, similarity.n_targets(), out.data());
}

std::vector<Label> best_targets(const Similarity& similarity, int n_threads) {
    std::vector<Label> best(static_cast<std::size_t>(similarity.n_queries()));
    for_chunks(
        similarity.n_queries(), n_threads,
        [&](Index begin, Index end) {
            std::vector<float> row;
            for (Index i = begin; i < end; ++i) {
                full_row(similarity, i, row);
                best[static_cast<std::size_t>(i)] =
                    static_cast<Label>(std::max_element(row.begin(), row.end()) - row.begin());
            }
        },
        kRowsPerTask);
    return best;
}

std::vector<float> lower_triangle(const Similarity& similarity, int n_threads) {
    const Index n = similarity.n_queries();
    if (n != similarity.n_targets()) throw InvalidInput("expected the same rows as queries and targets");
    std::vector<float> triangle(static_cast<std::size_t>(n * (n - 1) / 2));
    for_chunks(
        n, n_threads,
        [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) similarity.row(i, 0, i, triangle.data() + i * (i - 1) / 2);
        },
        kRowsPerTask);
    return triangle;
}

}  // namespace intarsia
