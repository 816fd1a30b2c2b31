#pragma once

#include <array>
#include <cstdint>

namespace intarsia {

using Block = std::array<std::uint64_t, 4>;

/// Philox 4x64 with ten rounds (Salmon et al. 2011): 256 random bits that depend only on key and counter.
Block philox4x64(Block counter, std::array<std::uint64_t, 2> key);

/// What a stream is for, in C++ and in Python: the one list. Fixed numbers: changing one changes every
/// published result.
enum class Stage : std::uint64_t {
    kSeeding = 1,
    kRandomSwap = 2,
    kBaseRun = 3,
    kCover = 4,       // rounds of the published loop
    kSearch = 5,      // chains of swaps from new starts
    kMergeCover = 6,  // of two populations
    kStepCover = 7,
    kBestSearch = 8,  // swaps from the best partition
    kLabelSeeding = 15,
    kLabelMoves = 16,
    kAnnealingOrder = 20,
    kAnnealing = 21,
    kAnnealingStart = 22,
    kBoosting = 30,
    kBoostingBase = 31,
    kMembers = 40,
    kHalves = 41,
    kPointPairs = 50,
    kClusterPairs = 51,
    kStudyMembers = 60,
    kStudyDraws = 61,
    kSpectral = 70,  // where a search for eigenvectors starts
    kResample = 71,
    kResampleBase = 72,
    kSelection = 73,
    kUser = 100,
};

/// A stream of draws named by (seed, stage, task, substream): who draws, and when, does not matter.
class Rng {
  public:
    Rng(std::uint64_t seed, Stage stage, std::uint64_t task = 0, std::uint64_t substream = 0)
        : counter_{static_cast<std::uint64_t>(stage), task, substream, 0}, key_{seed, 0} {}

    std::uint64_t next_u64();
    /// Uniform in [0, 1) with 53 random bits.
    double uniform();
    /// Uniform in {0, ..., bound - 1} without bias; bound > 0.
    std::uint64_t below(std::uint64_t bound);

  private:
    Block counter_;
    std::array<std::uint64_t, 2> key_;
    Block block_{};
    int used_ = 4;
};

}  // namespace intarsia
