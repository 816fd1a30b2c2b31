#include "intarsia/selection/candidates.hpp"

#include <algorithm>
#include <map>

#include "intarsia/common/error.hpp"
#include "intarsia/common/parallel.hpp"

namespace intarsia {

void check_candidates(const CandidateView& candidates, Index n_points) {
    const auto& offsets = candidates.offsets;
    if (offsets.empty() || offsets.front() != 0 ||
        offsets.back() != static_cast<Index>(candidates.members.size()) ||
        !std::is_sorted(offsets.begin(), offsets.end()))
        throw InvalidInput("offsets and members of the candidates do not fit together.");
    for (const Point p : candidates.members)
        if (p < 0 || p >= n_points) throw InvalidInput("a candidate has a point that is not there.");
}

std::vector<Index> shared_points(const CandidateView& candidates, Index n_points, int n_threads) {
    check_candidates(candidates, n_points);
    const Index n = candidates.size();
    std::vector<Index> shared(static_cast<std::size_t>(n * n), 0);
    parallel_for(n, n_threads, [&](Index i) {
        std::vector<char> inside(static_cast<std::size_t>(n_points), 0);
        for (const Point p : candidates[i]) inside[p] = 1;
        for (Index j = 0; j < n; ++j)
            for (const Point p : candidates[j]) shared[i * n + j] += inside[p];
    });
    return shared;
}

std::vector<Point> membership_patterns(const CandidateView& candidates, Index n_points) {
    check_candidates(candidates, n_points);
    // Sets of points are split by one candidate after another: part c' = (part, in the candidate or not).
    std::vector<Point> part(static_cast<std::size_t>(n_points), 0);
    Point n_parts = 1;
    for (Index c = 0; c < candidates.size(); ++c) {
        std::map<Point, Point> inside;
        for (const Point p : candidates[c]) {
            const auto [found, is_new] = inside.try_emplace(part[p], n_parts);
            if (is_new) ++n_parts;
            part[p] = found->second;
        }
    }
    std::map<Point, Point> numbers;
    for (Point& p : part) p = numbers.try_emplace(p, static_cast<Point>(numbers.size())).first->second;
    return part;
}

}  // namespace intarsia
