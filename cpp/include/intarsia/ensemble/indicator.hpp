#pragma once

#include <span>

#include "intarsia/common/error.hpp"
#include "intarsia/common/types.hpp"

namespace intarsia {

/// The rows of H (hard) or S (soft; memberships not empty), walked alike.
struct Indicator {
    MatrixView<const Label> labels;
    std::span<const Index> offsets;
    MatrixView<const double> memberships;

    Index n_rows() const { return labels.n_rows(); }
    Index n_members() const { return labels.n_cols(); }
    Index n_columns() const { return offsets.empty() ? 0 : offsets.back(); }
    bool is_soft() const { return memberships.n_cols() > 0; }

    void check() const {
        if (std::ssize(offsets) != n_members() + 1)
            throw InvalidInput("expected one offset a member and one more");
        if (is_soft() && (memberships.n_rows() != n_rows() || memberships.n_cols() != n_columns()))
            throw InvalidInput("memberships should have a row for each point and a column for each cluster");
        for (Index i = 0; i < n_rows(); ++i)
            for (Index q = 0; q < n_members(); ++q)
                if (labels(i, q) < kNoLabel || labels(i, q) >= offsets[q + 1] - offsets[q])
                    throw InvalidInput("labels should be -1 or below the number of clusters of their member");
    }

    /// Calls fn(member, column, value) for the entries of row i.
    template <class Fn>
    void each(Index i, Fn&& fn) const {
        for (Index q = 0; q < n_members(); ++q) {
            const Label label = labels(i, q);
            if (label == kNoLabel) continue;
            if (!is_soft()) {
                fn(q, offsets[q] + label, 1.0);
                continue;
            }
            for (Index c = offsets[q]; c < offsets[q + 1]; ++c)
                if (memberships(i, c) > 0) fn(q, c, memberships(i, c));
        }
    }
};

}  // namespace intarsia
