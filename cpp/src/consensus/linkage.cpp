#include "intarsia/consensus/linkage.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "intarsia/common/error.hpp"

namespace intarsia {

namespace {

constexpr float kNone = -std::numeric_limits<float>::infinity();

void add_edge(MergeTree& tree, Index a, Index b, float similarity) {
    tree.a.push_back(static_cast<std::int32_t>(a));
    tree.b.push_back(static_cast<std::int32_t>(b));
    tree.similarity.push_back(similarity);
}

/// Clusters named by one of their rows, and the similarities between those still alive.
class Clusters {
  public:
    Clusters(std::span<float> triangle, std::span<const double> weights, Linkage linkage)
        : triangle_(triangle),
          weights_(weights.begin(), weights.end()),
          alive_(weights.size()),
          linkage_(linkage) {
        std::iota(alive_.begin(), alive_.end(), 0);
    }

    Index n_alive() const { return std::ssize(alive_); }
    Index first() const { return alive_.front(); }

    float& between(Index a, Index b) {
        const Index low = std::min(a, b), high = std::max(a, b);
        return triangle_[static_cast<std::size_t>(high * (high - 1) / 2 + low)];
    }

    /// The most similar cluster; among equals `favourite`, without which a chain might never end, then the
    /// lowest.
    Index nearest(Index a, Index favourite) {
        Index best = favourite;
        float best_value = favourite < 0 ? kNone : between(a, favourite);
        for (Index b : alive_) {
            if (b == a) continue;
            const float value = between(a, b);
            if (value > best_value) {
                best = b;
                best_value = value;
            }
        }
        return best;
    }

    /// Cluster b joins cluster a.
    void merge(Index a, Index b) {
        alive_.erase(std::ranges::lower_bound(alive_, b));
        for (Index c : alive_)
            if (c != a) between(a, c) = joined(a, b, between(a, c), between(b, c));
        weights_[static_cast<std::size_t>(a)] += weights_[static_cast<std::size_t>(b)];
    }

  private:
    float joined(Index a, Index b, float to_a, float to_b) const {
        if (linkage_ == Linkage::kSingle) return std::max(to_a, to_b);
        if (linkage_ == Linkage::kComplete) return std::min(to_a, to_b);
        const double wa = weights_[static_cast<std::size_t>(a)], wb = weights_[static_cast<std::size_t>(b)];
        return static_cast<float>((wa * to_a + wb * to_b) / (wa + wb));
    }

    std::span<float> triangle_;
    std::vector<double> weights_;
    std::vector<Index> alive_;
    Linkage linkage_;
};

}  // namespace

MergeTree agglomerate(std::span<float> triangle, std::span<const double> weights, Linkage linkage) {
    const Index n = std::ssize(weights);
    if (std::ssize(triangle) != n * (n - 1) / 2) throw InvalidInput("expected n (n - 1) / 2 similarities");
    Clusters clusters(triangle, weights, linkage);
    MergeTree tree;
    std::vector<Index> chain;
    while (clusters.n_alive() > 1) {
        if (chain.empty()) chain.push_back(clusters.first());
        const Index top = chain.back();
        const Index before = chain.size() > 1 ? chain[chain.size() - 2] : -1;
        const Index next = clusters.nearest(top, before);
        if (next != before) {
            chain.push_back(next);
            continue;
        }
        add_edge(tree, before, top, clusters.between(before, top));
        clusters.merge(std::min(before, top), std::max(before, top));
        chain.resize(chain.size() - 2);
    }
    return tree;
}

MergeTree spanning_tree(const Similarity& similarity) {
    const Index n = similarity.n_queries();
    if (n != similarity.n_targets()) throw InvalidInput("expected the same rows as queries and targets");
    const auto size = static_cast<std::size_t>(n);
    std::vector<float> row, best(size, kNone);
    std::vector<std::int32_t> from(size, 0);
    std::vector<char> done(size, 0);
    MergeTree tree;
    for (Index last = 0; std::ssize(tree.a) + 1 < n;) {
        done[static_cast<std::size_t>(last)] = 1;
        full_row(similarity, last, row);
        Index next = -1;
        for (std::size_t j = 0; j < size; ++j) {
            if (done[j]) continue;
            if (row[j] > best[j]) {
                best[j] = row[j];
                from[j] = static_cast<std::int32_t>(last);
            }
            if (next < 0 || best[j] > best[static_cast<std::size_t>(next)]) next = static_cast<Index>(j);
        }
        add_edge(tree, from[static_cast<std::size_t>(next)], next, best[static_cast<std::size_t>(next)]);
        last = next;
    }
    return tree;
}

}  // namespace intarsia
