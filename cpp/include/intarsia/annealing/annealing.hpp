#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "intarsia/annealing/mean_agreement.hpp"

namespace intarsia {

enum class Acceptance {
    kThreshold,   ///< a loss is taken when exp(dS / T) exceeds a fixed number
    kMetropolis,  ///< a loss is taken with probability exp(dS / T)
};

/// Which of the acceptable labels a point gets.
enum class Choice {
    kFirst,  ///< the first one of a random order
    kBest,   ///< the one of highest value
};

struct AnnealingOptions {
    std::optional<double> temperature;  ///< none: `start_share` of the start's value; 0: only gains
    double start_share = 0.1;
    double cooling = 0.99;  ///< factor of the temperature after each loop
    double threshold = 0.85;
    Acceptance acceptance = Acceptance::kThreshold;
    Choice choice = Choice::kFirst;
    Index patience = 2;      ///< idle loops that end it
    Index idle_changes = 0;  ///< most changes of a loop that is called idle
    Index max_loops = 5000;
    Index batch = 1;  ///< points scored against the same state; 1: each against the latest
    bool allow_empty = false;
    int n_threads = 1;  ///< of the scoring of a batch; changes nothing but the time
    std::uint64_t seed = 0;
    std::uint64_t chain = 0;
};

struct AnnealingResult {
    std::vector<Label> labels;    ///< the best seen
    double value = 0;             ///< their mean agreement
    std::vector<double> history;  ///< the value at the start and after each loop
    Index n_loops = 0;
    Index n_moves = 0;
    bool converged = false;  ///< ended by idle loops
};

/// Maximises the mean agreement with the members by single label changes (Lu, Peng and Xiao 2008).
///
/// Each loop visits all points in random order; what is returned is the best partition passed, made a local
/// optimum by gains alone. A change of value within rounding is no change. Loops cost O(n k r).
/// With a batch, its points are scored in parallel against the same state, then taken in order, each only if
/// it is still acceptable in the state by then: the same result for any number of threads.
AnnealingResult anneal(MeanAgreement& agreement, std::span<const Label> start,
                       const AnnealingOptions& options);

/// Gains alone, best label first, points in their order, until no single change gains.
AnnealingResult descend(MeanAgreement& agreement, std::span<const Label> start,
                        const AnnealingOptions& options);

}  // namespace intarsia
