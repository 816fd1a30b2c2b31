#include "intarsia/consensus/neighbour_graph.hpp"

#include <algorithm>
#include <limits>

#include "intarsia/common/error.hpp"
#include "intarsia/common/parallel.hpp"

namespace intarsia {

namespace {

constexpr Index kRowsPerTask = 16;

struct Candidate {
    float similarity;
    std::uint32_t tie;
    std::int32_t row;

    bool operator>(const Candidate& other) const {
        if (similarity != other.similarity) return similarity > other.similarity;
        return tie != other.tie ? tie > other.tie : row < other.row;
    }
};

std::uint32_t pair_hash(Index a, Index b) {
    std::uint64_t h =
        static_cast<std::uint64_t>(std::min(a, b)) << 32 | static_cast<std::uint64_t>(std::max(a, b));
    h = (h ^ (h >> 31)) * 0x9E3779B97F4A7C15ULL;
    h = (h ^ (h >> 29)) * 0xBF58476D1CE4E5B9ULL;
    return static_cast<std::uint32_t>(h >> 32);
}

/// The best `size` candidates seen, cut back when twice as many are held: most of the others never enter.
class Shortlist {
  public:
    explicit Shortlist(Index size) : size_(static_cast<std::size_t>(size)) { held_.reserve(2 * size_); }

    void offer(const Candidate& candidate) {
        if (!(candidate > worst_)) return;
        held_.push_back(candidate);
        if (held_.size() == 2 * size_) cut();
    }
    float least() const { return worst_.similarity; }

    const std::vector<Candidate>& by_row() {
        if (held_.size() > size_) cut();
        std::ranges::sort(held_, {}, &Candidate::row);
        return held_;
    }

  private:
    void cut() {
        const auto last = held_.begin() + static_cast<std::ptrdiff_t>(size_ - 1);
        std::nth_element(held_.begin(), last, held_.end(), std::greater{});
        worst_ = *last;
        held_.resize(size_);
    }

    std::size_t size_;
    std::vector<Candidate> held_;
    Candidate worst_{-std::numeric_limits<float>::infinity(), 0, 0};
};

}  // namespace

Neighbours top_neighbours(const Similarity& similarity, Index n_neighbours, int n_threads) {
    const Index n = similarity.n_queries();
    if (n != similarity.n_targets()) throw InvalidInput("expected the same rows as queries and targets");
    if (n_neighbours < 1 || n_neighbours >= n) throw InvalidInput("n_neighbours should be in [1, n_rows)");
    const auto size = static_cast<std::size_t>(n * n_neighbours);
    Neighbours found{std::vector<std::int32_t>(size), std::vector<float>(size)};
    for_chunks(
        n, n_threads,
        [&](Index begin, Index end) {
            std::vector<float> row;
            for (Index i = begin; i < end; ++i) {
                full_row(similarity, i, row);
                Shortlist best(n_neighbours);
                for (Index j = 0; j < n; ++j) {
                    const float value = row[static_cast<std::size_t>(j)];
                    if (j != i && value >= best.least())
                        best.offer({value, pair_hash(i, j), static_cast<std::int32_t>(j)});
                }
                Index at = i * n_neighbours;
                for (const Candidate& c : best.by_row()) {
                    found.rows[static_cast<std::size_t>(at)] = c.row;
                    found.similarities[static_cast<std::size_t>(at++)] = c.similarity;
                }
            }
        },
        kRowsPerTask);
    return found;
}

}  // namespace intarsia
