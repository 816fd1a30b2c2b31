#include "intarsia/selection/stability.hpp"

#include <cmath>

#include "intarsia/common/error.hpp"

namespace intarsia {

namespace {

void check(std::span<const Label> labels, Index k) {
    for (const Label label : labels)
        if (label < kNoLabel || label >= k) throw InvalidInput("labels should be from -1 to k - 1.");
}

// x log(n x / (a b)) / n: the share of one cell in the mutual information, 0 log 0 = 0.
double cell(double x, double a, double b, double n) { return x > 0 ? x / n * std::log(n * x / (a * b)) : 0; }

double entropy(double a, double n) {
    return -(a / n * std::log(a / n) + (n - a) / n * std::log((n - a) / n));
}

// Of two sets of a and b points, x of them common, among n.
double similarity(Index x, Index a, Index b, Index n) {
    if (a == 0 || a == n || b == 0 || b == n) return 0;
    if (x == a && x == b) return 1;
    const double both = static_cast<double>(x), first = static_cast<double>(a),
                 second = static_cast<double>(b), all = static_cast<double>(n);
    const double information = cell(both, first, second, all) + cell(first - both, first, all - second, all) +
                               cell(second - both, all - first, second, all) +
                               cell(all - first - second + both, all - first, all - second, all);
    return information / (0.5 * (entropy(first, all) + entropy(second, all)));
}

}  // namespace

std::vector<double> cluster_stability(std::span<const Label> reference, Index k, std::span<const Label> other,
                                      Index k_other) {
    if (reference.size() != other.size()) throw InvalidInput("the partitions differ in their points.");
    check(reference, k);
    check(other, k_other);
    const auto n = static_cast<Index>(reference.size());
    std::vector<Index> table(static_cast<std::size_t>(k * k_other), 0);
    std::vector<Index> own(static_cast<std::size_t>(k), 0), found(static_cast<std::size_t>(k_other), 0);
    for (Index i = 0; i < n; ++i) {
        const Label c = reference[i], f = other[i];
        if (c >= 0) ++own[c];
        if (f >= 0) ++found[f];
        if (c >= 0 && f >= 0) ++table[c * k_other + f];
    }
    std::vector<double> scores(static_cast<std::size_t>(k));
    for (Index c = 0; c < k; ++c) {
        Index common = 0, size = 0;
        for (Index f = 0; f < k_other; ++f) {
            const Index shared = table[c * k_other + f];
            if (2 * shared <= found[f]) continue;
            common += shared;
            size += found[f];
        }
        scores[c] = similarity(common, own[c], size, n);
    }
    return scores;
}

}  // namespace intarsia
