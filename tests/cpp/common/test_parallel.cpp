#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "intarsia/common/parallel.hpp"

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

TEST_CASE("no task, no call") {
    parallel_for(0, 4, [](Index) { FAIL("called without a task"); });
    CHECK(sum_chunks(0, 4, [](Index, Index) { return 1.0; }) == 0.0);
}

TEST_CASE("of several exceptions that of the lowest task comes out, after all tasks have run") {
    for (int threads : {2, 3, 7}) {
        std::vector<int> seen(100, 0);
        const auto fail_from_30 = [&](Index t) {
            ++seen[static_cast<std::size_t>(t)];
            if (t >= 30) throw std::runtime_error(std::to_string(t));
        };
        CHECK_THROWS_WITH_AS(parallel_for(100, threads, fail_from_30), "30", std::runtime_error);
        CHECK(seen == std::vector<int>(100, 1));
    }
}
