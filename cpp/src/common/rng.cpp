#include "intarsia/common/rng.hpp"

namespace intarsia {

namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t kMultiplier0 = 0xD2E7470EE14C6C93ULL;
constexpr std::uint64_t kMultiplier1 = 0xCA5A826395121157ULL;
constexpr std::uint64_t kWeyl0 = 0x9E3779B97F4A7C15ULL;
constexpr std::uint64_t kWeyl1 = 0xBB67AE8584CAA73BULL;
constexpr int kRounds = 10;

Block one_round(const Block& c, const std::array<std::uint64_t, 2>& key) {
    const Wide p0 = static_cast<Wide>(kMultiplier0) * c[0];
    const Wide p1 = static_cast<Wide>(kMultiplier1) * c[2];
    const auto high0 = static_cast<std::uint64_t>(p0 >> 64);
    const auto high1 = static_cast<std::uint64_t>(p1 >> 64);
    return {high1 ^ c[1] ^ key[0], static_cast<std::uint64_t>(p1), high0 ^ c[3] ^ key[1],
            static_cast<std::uint64_t>(p0)};
}

}  // namespace

Block philox4x64(Block counter, std::array<std::uint64_t, 2> key) {
    for (int round = 0; round < kRounds; ++round) {
        counter = one_round(counter, key);
        key[0] += kWeyl0;
        key[1] += kWeyl1;
    }
    return counter;
}

std::uint64_t Rng::next_u64() {
    if (used_ == 4) {
        block_ = philox4x64(counter_, key_);
        ++counter_[3];
        used_ = 0;
    }
    return block_[used_++];
}

double Rng::uniform() { return static_cast<double>(next_u64() >> 11) * 0x1.0p-53; }

// Lemire's multiply-shift with rejection: unbiased, one multiplication nearly always.
std::uint64_t Rng::below(std::uint64_t bound) {
    Wide product = static_cast<Wide>(next_u64()) * bound;
    auto low = static_cast<std::uint64_t>(product);
    if (low < bound) {
        const std::uint64_t threshold = (0 - bound) % bound;
        while (low < threshold) {
            product = static_cast<Wide>(next_u64()) * bound;
            low = static_cast<std::uint64_t>(product);
        }
    }
    return static_cast<std::uint64_t>(product >> 64);
}

}  // namespace intarsia
