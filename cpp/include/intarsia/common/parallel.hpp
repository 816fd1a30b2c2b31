#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "intarsia/common/types.hpp"

namespace intarsia {

/// Points per chunk: fixed, so that sums over chunks do not depend on the number of threads.
inline constexpr Index kChunk = 512;

inline Index n_chunks(Index n, Index chunk = kChunk) { return (n + chunk - 1) / chunk; }

namespace detail {

/// Calls body() once on each of n_threads threads and waits for all of them.
template <class Body>
void on_team(int n_threads, Body&& body) {
#if defined(__SANITIZE_THREAD__)
    // libgomp's barriers are invisible to ThreadSanitizer, which would call every region a race.
    std::vector<std::jthread> team;
    for (int t = 1; t < n_threads; ++t) team.emplace_back([&body] { body(); });
    body();
#else
#pragma omp parallel num_threads(n_threads)
    body();
#endif
}

}  // namespace detail

/// Calls fn(task) for every task in [0, n_tasks), each exactly once, on up to n_threads threads.
/// The first exception by task order is rethrown after the region: nothing may leave an OpenMP region.
template <class Fn>
void parallel_for(Index n_tasks, int n_threads, Fn&& fn) {
    if (n_threads <= 1 || n_tasks <= 1) {
        for (Index task = 0; task < n_tasks; ++task) fn(task);
        return;
    }
    std::exception_ptr error;
    Index error_task = n_tasks;
    std::mutex error_mutex;
    std::atomic<Index> next{0};
    detail::on_team(static_cast<int>(std::min<Index>(n_threads, n_tasks)), [&] {
        for (Index task = next++; task < n_tasks; task = next++) {
            try {
                fn(task);
            } catch (...) {
                const std::lock_guard lock(error_mutex);
                if (task < error_task) {
                    error_task = task;
                    error = std::current_exception();
                }
            }
        }
    });
    if (error) std::rethrow_exception(error);
}

/// Calls fn(begin, end) for the fixed chunks of [0, n).
template <class Fn>
void for_chunks(Index n, int n_threads, Fn&& fn, Index chunk = kChunk) {
    parallel_for(n_chunks(n, chunk), n_threads,
                 [&](Index c) { fn(c * chunk, std::min(n, (c + 1) * chunk)); });
}

/// Sum of fn(begin, end) over the fixed chunks of [0, n), added in chunk order.
template <class Fn>
double sum_chunks(Index n, int n_threads, Fn&& fn, Index chunk = kChunk) {
    std::vector<double> partial(static_cast<std::size_t>(n_chunks(n, chunk)));
    parallel_for(n_chunks(n, chunk), n_threads, [&](Index c) {
        partial[static_cast<std::size_t>(c)] = fn(c * chunk, std::min(n, (c + 1) * chunk));
    });
    double total = 0;
    for (double p : partial) total += p;
    return total;
}

}  // namespace intarsia
