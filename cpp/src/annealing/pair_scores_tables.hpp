#pragma once

#include "intarsia/annealing/pair_scores.hpp"

namespace intarsia {

/// One measure: with labels missing, and complete.
struct PairScoresPair {
    PairScores incomplete, complete;
};

/// All measures of pairs, in the order of Measure.
struct PairScoresTable {
    PairScoresPair measures[3];
};

extern const PairScoresTable kPairScoresGeneric, kPairScoresAvx2, kPairScoresAvx512;

}  // namespace intarsia
