#pragma once

#include "intarsia/annealing/measure.hpp"
#include "intarsia/annealing/shared_counts.hpp"

namespace intarsia {

/// One member's part of a measure: its pairs as numbers that kernels compute with, and what depends on the
/// member alone.
struct MemberTerm {
    double both;             ///< h0
    double partition;        ///< h1
    double member;           ///< h2
    double share;            ///< h2 over all pairs: pairs expected to agree, for each pair of the partition
    double half_less_share;  ///< 1/2 - share
    double half_member;      ///< h2 / 2
    double inverse_root;     ///< 1 / sqrt(h2), 0 where h2 = 0
    double weight;           ///< share of the mean
};

/// One point and everything its scores depend on.
struct PairQuery {
    const Count* counts;
    const Count* sizes;
    const std::int32_t* rows;
    const MemberTerm* terms;
    Index n_members;
    Index stride;
    Index member_stride;
    Label own;
    Count weight;
};

/// The scoring of one measure, compiled for one instruction set. All give the same bits: no sum is reordered.
struct PairScores {
    /// out[c] = the mean agreement if the point had label c, for all columns of the blocks that hold
    /// [first, last); the own label's entry is not meaningful.
    void (*score)(const PairQuery& query, Index first, Index last, double* out);
    /// The mean agreement as it is.
    double (*value)(const MemberTerm* terms, Index n_members);
};

/// The scoring on the running CPU; `complete` when no label is missing.
const PairScores& pair_scores(Measure measure, bool complete);

}  // namespace intarsia
