#include "intarsia/annealing/pair_scores.hpp"

#include "intarsia/common/error.hpp"
#include "intarsia/common/simd.hpp"
#include "pair_scores_tables.hpp"

namespace intarsia {

namespace {

const PairScoresTable& table() {
    switch (simd_level()) {
        case SimdLevel::kAvx512:
            return kPairScoresAvx512;
        case SimdLevel::kAvx2:
            return kPairScoresAvx2;
        case SimdLevel::kGeneric:
            break;
    }
    return kPairScoresGeneric;
}

}  // namespace

const PairScores& pair_scores(Measure measure, bool complete) {
    const auto position = static_cast<std::size_t>(measure);
    if (position >= std::size(table().measures)) throw InvalidInput("not a measure of pairs.");
    const PairScoresPair& found = table().measures[position];
    return complete ? found.complete : found.incomplete;
}

}  // namespace intarsia
