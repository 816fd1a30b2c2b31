#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "intarsia/common/types.hpp"

namespace intarsia {

/// How often each point comes up in `n_draws` draws with replacement by weight, from the stream
/// (seed, kBoosting, round, attempt). Weights need not sum to one. Linear in points and draws.
std::vector<double> draw_replicate(std::span<const double> weights, Index n_draws, std::uint64_t seed,
                                   std::uint64_t round, std::uint64_t attempt);

/// Half the weighted sum of what is wrong with every point.
double pseudoloss(std::span<const double> weights, std::span<const double> quality, int n_threads);

/// Weights times exp(log_beta * quality), scaled to sum one; nothing overflows, whatever the quality.
std::vector<double> reweighted(std::span<const double> weights, std::span<const double> quality,
                               double log_beta, int n_threads);

}  // namespace intarsia
