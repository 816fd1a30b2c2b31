#pragma once

#include <span>
#include <vector>

#include "intarsia/common/types.hpp"

namespace intarsia {

/// Candidate clusters side by side: candidate c has the points members[offsets[c] .. offsets[c + 1]),
/// ascending.
struct CandidateView {
    std::span<const Index> offsets;
    std::span<const Point> members;

    Index size() const { return static_cast<Index>(offsets.size()) - 1; }
    std::span<const Point> operator[](Index c) const {
        return members.subspan(static_cast<std::size_t>(offsets[c]),
                               static_cast<std::size_t>(offsets[c + 1] - offsets[c]));
    }
};

/// Throws InvalidInput unless offsets and members fit together and every member is one of n_points.
void check_candidates(const CandidateView& candidates, Index n_points);

/// How many points each pair of candidates shares, row by row; on the diagonal their sizes.
std::vector<Index> shared_points(const CandidateView& candidates, Index n_points, int n_threads);

/// Points that lie in the same candidates have the same number; numbered by their first points.
std::vector<Point> membership_patterns(const CandidateView& candidates, Index n_points);

}  // namespace intarsia
