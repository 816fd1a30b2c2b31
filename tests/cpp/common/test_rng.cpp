#include <doctest/doctest.h>

#include <vector>

#include "intarsia/common/rng.hpp"

using namespace intarsia;

TEST_CASE("philox gives the published known answers") {
    // Random123's kat_vectors for philox4x64 with ten rounds.
    CHECK(philox4x64({0, 0, 0, 0}, {0, 0}) ==
          Block{0x16554d9eca36314cULL, 0xdb20fe9d672d0fdcULL, 0xd7e772cee186176bULL, 0x7e68b68aec7ba23bULL});
    const std::uint64_t f = ~0ULL;
    CHECK(philox4x64({f, f, f, f}, {f, f}) ==
          Block{0x87b092c3013fe90bULL, 0x438c3c67be8d0224ULL, 0x9cc7d7c69cd777b6ULL, 0xa09caebf594f0ba0ULL});
}

TEST_CASE("streams depend on their name only") {
    Rng a(7, Stage::kSeeding, 3, 1), b(7, Stage::kSeeding, 3, 1), c(7, Stage::kSeeding, 4, 1);
    bool differs = false;
    for (int i = 0; i < 20; ++i) {
        const auto x = a.next_u64();
        CHECK(x == b.next_u64());
        differs |= x != c.next_u64();
    }
    CHECK(differs);
}

TEST_CASE("below is uniform and in range") {
    Rng rng(1, Stage::kUser);
    std::vector<int> seen(7, 0);
    for (int i = 0; i < 70000; ++i) ++seen.at(rng.below(7));
    for (int count : seen) CHECK(count == doctest::Approx(10000).epsilon(0.05));
}
