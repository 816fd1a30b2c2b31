#include "intarsia/ensemble/label_rows.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "intarsia/common/error.hpp"

namespace intarsia {

namespace {

constexpr Index kPadding = 8;

// Scores of a hard row with a number of columns known to the compiler: they stay in registers.
template <Index kStride>
void score_fixed(const LabelRows& rows, Index i, const SlotTable& table, double* out) {
    double sum[kStride];
    std::copy_n(table.bias.data(), kStride, sum);
    rows.visit_hard(i, [&](Index slot, double) {
        const double* values = table.values.data() + slot * kStride;
        for (Index c = 0; c < kStride; ++c) sum[c] += values[c];
    });
    std::copy_n(sum, kStride, out);
}

}  // namespace

SlotMap::SlotMap(std::span<const Index> n_classes) : bases_{0} {
    for (std::size_t j = 0; j < n_classes.size(); ++j) {
        if (n_classes[j] < 1) throw InvalidInput("every member should have at least one cluster.");
        bases_.push_back(bases_.back() + 1 + n_classes[j]);
        members_.insert(members_.end(), static_cast<std::size_t>(1 + n_classes[j]), static_cast<Index>(j));
    }
}

LabelRows::LabelRows(MatrixView<const Label> labels, std::span<const Index> n_classes,
                     MatrixView<const double> memberships)
    : labels_(labels), memberships_(memberships), slots_(n_classes) {
    const Index r = slots_.n_members();
    if (labels.n_rows() < 1 || r < 1) throw InvalidInput("an ensemble needs at least one point and member");
    if (labels.n_cols() != r) throw InvalidInput("labels and n_classes differ in their number of members");
    if (is_soft() && (memberships.n_rows() != n_rows() || memberships.n_cols() != slots_.n_slots() - r))
        throw InvalidInput("memberships should have one row a point and one column a cluster.");
    for (Index i = 0; i < n_rows(); ++i)
        for (Index j = 0; j < r; ++j)
            if (labels(i, j) < kNoLabel || labels(i, j) >= slots_.n_classes(j))
                throw InvalidInput("labels of member " + std::to_string(j) +
                                   " should be in [-1, n_classes).");
}

LabelRows LabelRows::hardened() const {
    LabelRows hard = *this;
    hard.memberships_ = {};
    return hard;
}

SlotTable::SlotTable(Index n_slots, Index n_clusters)
    : k(n_clusters),
      stride((n_clusters + kPadding - 1) / kPadding * kPadding),
      values(static_cast<std::size_t>(n_slots * stride), 0.0),
      bias(static_cast<std::size_t>(stride), 0.0) {
    std::fill(bias.begin() + k, bias.end(), -std::numeric_limits<double>::infinity());
}

void score_row(const LabelRows& rows, Index i, const SlotTable& table, double* out) {
    if (!rows.is_soft() && table.stride == 8) return score_fixed<8>(rows, i, table, out);
    if (!rows.is_soft() && table.stride == 16) return score_fixed<16>(rows, i, table, out);
    std::copy_n(table.bias.data(), table.stride, out);
    rows.visit(i, [&](Index slot, double share) {
        const double* values = table.row(slot);
        for (Index c = 0; c < table.stride; ++c) out[c] += share * values[c];
    });
}

}  // namespace intarsia
