#pragma once

#include <cstdint>
#include <vector>

#include "intarsia/ensemble/similarity.hpp"

namespace intarsia {

/// The n_neighbours most similar other rows of each row, in ascending order of rows.
struct Neighbours {
    std::vector<std::int32_t> rows;
    std::vector<float> similarities;
};

/// Queries are the targets. Equally similar rows are told apart by a hash of the pair: the lowest index would
/// make the same few rows everybody's neighbours.
Neighbours top_neighbours(const Similarity& similarity, Index n_neighbours, int n_threads);

}  // namespace intarsia
