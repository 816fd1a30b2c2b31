// Compiled for one instruction set (see CMakeLists.txt); on other processors it is the generic code again.
#include "pair_scores_tables.hpp"

namespace intarsia {

namespace {

#include "pair_scores.inl"

}  // namespace

const PairScoresTable kPairScoresAvx2 = make_pair_scores<4>();

}  // namespace intarsia
