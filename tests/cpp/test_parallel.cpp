#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "intarsia/parallel.hpp"

using namespace intarsia;

TEST_CASE("every task runs once, for any number of threads") {
    for (int threads : {1, 2, 3, 7}) {
        std::vector<int> seen(1000, 0);
        parallel_for(1000, threads, [&](Index t) { ++seen[t]; });
        for (int s : seen) CHECK(s == 1);
    }
}

TEST_CASE("sums over chunks have the same bits for any number of threads") {
    const Index n = 20 * kChunk + 17;
    auto sum = [&](int threads) {
        return sum_chunks(n, threads, [](Index begin, Index end) {
            double s = 0;
            for (Index i = begin; i < end; ++i) s += 1.0 / static_cast<double>(i + 1);
            return s;
        });
    };
    for (int threads : {2, 3, 7}) CHECK(sum(threads) == sum(1));
}

TEST_CASE("an exception leaves the parallel region as itself") {
    for (int threads : {1, 2, 7}) {
        auto fails = [&] {
            parallel_for(100, threads, [](Index t) {
                if (t == 50) throw std::runtime_error("task " + std::to_string(t));
            });
        };
        CHECK_THROWS_WITH_AS(fails(), "task 50", std::runtime_error);
    }
}
