#include "intarsia/ensemble/contingency.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "intarsia/common/error.hpp"
#include "intarsia/common/parallel.hpp"

namespace intarsia {

namespace {

constexpr Index kMostCells = Index{1} << 16;  // beyond, a table per chunk costs more than sorting
constexpr Index kLeastChunk = Index{1} << 16;
constexpr Index kMostChunks = 64;

struct LabelPair {
    std::span<const Label> a;
    std::span<const Label> b;
    std::span<const double> weights;

    Index size() const { return static_cast<Index>(a.size()); }
    bool known(Index i) const { return a[i] >= 0 && b[i] >= 0; }
    double weight(Index i) const { return weights.empty() ? 1.0 : weights[i]; }
};

void check_labels(std::span<const Label> labels, Index n_classes) {
    if (std::any_of(labels.begin(), labels.end(), [&](Label c) { return c < kNoLabel || c >= n_classes; }))
        throw InvalidInput("a label lies outside [-1, n_classes)");
}

void check(const LabelPair& pair, Index n_a, Index n_b) {
    if (pair.a.size() != pair.b.size()) throw InvalidInput("the two partitions differ in length");
    if (!pair.weights.empty() && pair.weights.size() != pair.a.size())
        throw InvalidInput("weights and labels differ in length");
    check_labels(pair.a, n_a);
    check_labels(pair.b, n_b);
}

void push(Contingency& table, Index key, Index n_b, double count) {
    if (count == 0) return;
    table.rows.push_back(static_cast<Label>(key / n_b));
    table.cols.push_back(static_cast<Label>(key % n_b));
    table.counts.push_back(count);
}

// Chunks depend on n alone, so weighted sums have the same bits for any number of threads.
std::vector<double> dense_counts(const LabelPair& pair, Index n_cells, Index n_b, int n_threads) {
    const Index chunk = std::max(kLeastChunk, (pair.size() + kMostChunks - 1) / kMostChunks);
    std::vector<std::vector<double>> partial(static_cast<std::size_t>(n_chunks(pair.size(), chunk)));
    for_chunks(
        pair.size(), n_threads,
        [&](Index begin, Index end) {
            std::vector<double> counts(static_cast<std::size_t>(n_cells), 0.0);
            for (Index i = begin; i < end; ++i)
                if (pair.known(i)) counts[pair.a[i] * n_b + pair.b[i]] += pair.weight(i);
            partial[static_cast<std::size_t>(begin / chunk)] = std::move(counts);
        },
        chunk);
    std::vector<double> total(static_cast<std::size_t>(n_cells), 0.0);
    for (const auto& counts : partial)
        std::transform(total.begin(), total.end(), counts.begin(), total.begin(), std::plus<>());
    return total;
}

Contingency by_counting(const LabelPair& pair, Index n_a, Index n_b, int n_threads) {
    const std::vector<double> counts = dense_counts(pair, n_a * n_b, n_b, n_threads);
    Contingency table;
    for (Index key = 0; key < n_a * n_b; ++key) push(table, key, n_b, counts[static_cast<std::size_t>(key)]);
    return table;
}

Contingency by_sorting(const LabelPair& pair, Index n_b) {
    std::vector<std::pair<Index, Index>> cells;  // cell, point: points of a cell are added in their order
    for (Index i = 0; i < pair.size(); ++i)
        if (pair.known(i)) cells.emplace_back(pair.a[i] * n_b + pair.b[i], i);
    std::sort(cells.begin(), cells.end());
    Contingency table;
    for (std::size_t from = 0, to = 0; from < cells.size(); from = to) {
        double count = 0;
        for (; to < cells.size() && cells[to].first == cells[from].first; ++to)
            count += pair.weight(cells[to].second);
        push(table, cells[from].first, n_b, count);
    }
    return table;
}

std::map<Index, double> multiplicities(std::span<const Index> sizes) {
    std::map<Index, double> found;
    for (Index size : sizes) {
        if (size < 0) throw InvalidInput("a cluster size is negative");
        if (size > 0) ++found[size];
    }
    return found;
}

/// log(i!) for i = 0 ... n.
std::vector<double> log_factorials(Index n) {
    std::vector<double> values(static_cast<std::size_t>(n + 1), 0.0);
    for (Index i = 2; i <= n; ++i) values[i] = std::lgamma(static_cast<double>(i + 1));
    return values;
}

/// Expected contribution of one cell with margins a and b: hypergeometric probabilities of its counts.
double expected_cell(Index a, Index b, Index n, const std::vector<double>& f) {
    const double fixed = f[a] + f[b] + f[n - a] + f[n - b] - f[n];
    const double log_margin = std::log(static_cast<double>(n)) - std::log(static_cast<double>(a)) -
                              std::log(static_cast<double>(b));
    double sum = 0;
    for (Index c = std::max<Index>(1, a + b - n); c <= std::min(a, b); ++c) {
        const auto count = static_cast<double>(c);
        const double log_p = fixed - f[c] - f[a - c] - f[b - c] - f[n - a - b + c];
        sum += count / static_cast<double>(n) * (std::log(count) + log_margin) * std::exp(log_p);
    }
    return sum;
}

}  // namespace

Contingency contingency(std::span<const Label> a, std::span<const Label> b, std::span<const double> weights,
                        Index n_a, Index n_b, int n_threads) {
    const LabelPair pair{a, b, weights};
    check(pair, n_a, n_b);
    const bool small = n_a * n_b <= kMostCells;
    return small ? by_counting(pair, n_a, n_b, n_threads) : by_sorting(pair, n_b);
}

double expected_mutual_information(std::span<const Index> sizes_a, std::span<const Index> sizes_b) {
    const Index n = std::accumulate(sizes_a.begin(), sizes_a.end(), Index{0});
    if (n != std::accumulate(sizes_b.begin(), sizes_b.end(), Index{0}))
        throw InvalidInput("the cluster sizes of the two partitions have different sums");
    const auto f = log_factorials(n);
    double sum = 0;
    for (const auto& [a, n_a] : multiplicities(sizes_a))
        for (const auto& [b, n_b] : multiplicities(sizes_b)) sum += n_a * n_b * expected_cell(a, b, n, f);
    return sum;
}

}  // namespace intarsia
