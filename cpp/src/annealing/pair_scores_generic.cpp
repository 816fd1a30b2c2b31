#include "pair_scores_tables.hpp"

namespace intarsia {

namespace {

#include "pair_scores.inl"

}  // namespace

const PairScoresTable kPairScoresGeneric = make_pair_scores<2>();

}  // namespace intarsia
