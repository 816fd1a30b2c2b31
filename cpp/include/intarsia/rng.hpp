#pragma once

#include <array>
#include <cstdint>

namespace intarsia {

using Block = std::array<std::uint64_t, 4>;

/// Philox 4x64 with ten rounds (Salmon et al. 2011): 256 random bits that depend only on key and counter.
Block philox4x64(Block counter, std::array<std::uint64_t, 2> key);

/// What a stream is for. Fixed numbers: changing one changes every published result.
enum class Stage : std::uint64_t {
    kSeeding = 1,
    kRandomSwap = 2,
    kBaseRun = 3,
    kCover = 4,
    kSearch = 5,
    kAnnealingOrder = 20,
    kAnnealing = 21,
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
