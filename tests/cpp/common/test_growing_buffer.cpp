#include <doctest/doctest.h>

#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "intarsia/common/growing_buffer.hpp"

using namespace intarsia;

namespace {

std::vector<int> up_to(int n) {
    std::vector<int> values(static_cast<std::size_t>(n));
    std::iota(values.begin(), values.end(), 0);
    return values;
}

std::vector<int> content(std::span<const int> view) { return {view.begin(), view.end()}; }

}  // namespace

TEST_CASE("it holds what was appended, one by one and many at a time") {
    GrowingBuffer<int> buffer;
    CHECK(buffer.size() == 0);
    for (int i = 0; i < 100; ++i) buffer.push_back(i);
    const std::vector<int> more{100, 101, 102};
    buffer.append(more);
    CHECK(content(buffer.span()) == up_to(103));
    CHECK(buffer[101] == 101);
}

TEST_CASE("a view taken earlier stays as it was while the buffer grows, if its storage is kept") {
    GrowingBuffer<int> buffer;
    for (int i = 0; i < 50; ++i) buffer.push_back(i);
    const std::shared_ptr<const int[]> kept = buffer.share();
    const std::span<const int> view = buffer.span();
    for (int i = 50; i < 5000; ++i) buffer.push_back(i);
    CHECK(buffer.data() != view.data());  // it did grow
    CHECK(content(view) == up_to(50));
    CHECK(content(buffer.span()) == up_to(5000));
}

TEST_CASE("a copy and the original go on apart") {
    GrowingBuffer<int> buffer;
    for (int i = 0; i < 10; ++i) buffer.push_back(i);
    GrowingBuffer<int> copy = buffer;
    CHECK(copy.data() == buffer.data());  // shared until one grows
    copy.push_back(-1);
    buffer.push_back(10);
    CHECK(copy[10] == -1);
    CHECK(content(buffer.span()) == up_to(11));
    copy = buffer;
    CHECK(content(copy.span()) == up_to(11));
}

TEST_CASE("old and new storage together stay below two and a half times the content") {
    GrowingBuffer<int> buffer;
    for (int i = 0; i < 100'000; ++i) {
        const Index before = buffer.capacity();
        buffer.push_back(i);
        if (before > 64 && buffer.capacity() > before)
            CHECK(2 * (before + buffer.capacity()) <= 5 * buffer.size());
    }
}
