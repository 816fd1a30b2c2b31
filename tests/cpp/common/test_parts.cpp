#include <doctest/doctest.h>

#include "intarsia/common/parts.hpp"

using namespace intarsia;

TEST_CASE("parts cover everything once, whatever the threads") {
    for (Index n : {1, 511, 512, 5000, 200000}) {
        const auto one = sum_parts(n, 2, 1, [](Index begin, Index end, double* sums) {
            for (Index i = begin; i < end; ++i) {
                sums[0] += 1;
                sums[1] += 1.0 / static_cast<double>(i + 1);
            }
        });
        const auto many = sum_parts(n, 2, 3, [](Index begin, Index end, double* sums) {
            for (Index i = begin; i < end; ++i) {
                sums[0] += 1;
                sums[1] += 1.0 / static_cast<double>(i + 1);
            }
        });
        CHECK(one[0] == static_cast<double>(n));
        CHECK(one == many);
    }
}

TEST_CASE("wide sums have fewer parts, never fewer than eight where there are points") {
    CHECK(part_size(1 << 20, 1) == (1 << 20) / kMaxParts);
    CHECK(n_chunks(1 << 20, part_size(1 << 20, kPartBudget)) == 8);
    CHECK(part_size(10, 1) == kChunk);
}
