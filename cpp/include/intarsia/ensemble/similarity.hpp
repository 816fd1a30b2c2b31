#pragma once

#include <vector>

#include "intarsia/common/types.hpp"

namespace intarsia {

/// Similarities of query rows to target rows, computed when asked for: no matrix is ever held.
class Similarity {
  public:
    virtual ~Similarity() = default;
    virtual Index n_queries() const = 0;
    virtual Index n_targets() const = 0;
    /// Writes the similarities of query i to the targets [begin, end) into out[0 ... end - begin).
    virtual void row(Index i, Index begin, Index end, float* out) const = 0;
};

/// Targets per step of a row: what is summed stays in the first-level cache.
inline constexpr Index kTile = 2048;

/// The similarities of query i to every target.
void full_row(const Similarity& similarity, Index i, std::vector<float>& out);

/// The most similar target of each query (ties: the lowest).
std::vector<Label> best_targets(const Similarity& similarity, int n_threads);

/// The lower triangle, row after row: row i has i values and begins at i (i - 1) / 2. Queries are the
/// targets.
std::vector<float> lower_triangle(const Similarity& similarity, int n_threads);

}  // namespace intarsia
