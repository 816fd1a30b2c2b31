#pragma once

#include <span>
#include <vector>

#include "intarsia/common/types.hpp"

namespace intarsia {

/// Member j of an ensemble owns the slots [base(j), base(j + 1)): the first stands for "missing", the others
/// for its clusters. Every row has exactly one share a member, so that whatever a row adds up is a sum of
/// slots, without a question about missing labels.
class SlotMap {
  public:
    explicit SlotMap(std::span<const Index> n_classes);

    Index n_members() const { return static_cast<Index>(bases_.size()) - 1; }
    Index n_slots() const { return bases_.back(); }
    Index base(Index member) const { return bases_[member]; }
    Index end(Index member) const { return bases_[member + 1]; }
    Index n_classes(Index member) const { return end(member) - base(member) - 1; }
    Index member(Index slot) const { return members_[slot]; }
    bool is_missing(Index slot) const { return slot == bases_[members_[slot]]; }

  private:
    std::vector<Index> bases_;
    std::vector<Index> members_;
};

/// A row's share of one slot.
struct Entry {
    Index slot;
    double share;
};

/// The rows of an ensemble: labels (-1 missing), or memberships side by side (a missing block is zero).
class LabelRows {
  public:
    /// Checks that labels fit n_classes; `memberships` may be empty (hard members).
    LabelRows(MatrixView<const Label> labels, std::span<const Index> n_classes,
              MatrixView<const double> memberships = {});

    Index n_rows() const { return labels_.n_rows(); }
    bool is_soft() const { return memberships_.n_cols() > 0; }
    const SlotMap& slots() const { return slots_; }
    MatrixView<const Label> labels() const { return labels_; }
    /// The same rows by their labels alone.
    LabelRows hardened() const;

    /// Calls fn(slot, share) for every share of row i.
    template <class Fn>
    void visit(Index i, Fn&& fn) const {
        if (is_soft())
            visit_soft(i, fn);
        else
            visit_hard(i, fn);
    }

    template <class Fn>
    void visit_hard(Index i, Fn&& fn) const {
        const Label* row = labels_.row(i);
        for (Index j = 0; j < slots_.n_members(); ++j) fn(slots_.base(j) + 1 + row[j], 1.0);
    }

  private:
    template <class Fn>
    void visit_soft(Index i, Fn&& fn) const {
        const double* block = memberships_.row(i);
        for (Index j = 0; j < slots_.n_members(); block += slots_.n_classes(j), ++j) {
            bool known = false;
            for (Index l = 0; l < slots_.n_classes(j); ++l) {
                if (block[l] == 0) continue;
                known = true;
                fn(slots_.base(j) + 1 + l, block[l]);
            }
            if (!known) fn(slots_.base(j), 1.0);
        }
    }

    MatrixView<const Label> labels_;
    MatrixView<const double> memberships_;
    SlotMap slots_;
};

/// A number for every slot and cluster, the clusters of a slot side by side, and one for every cluster alone.
/// The clusters are padded to a multiple of eight: with `bias` minus infinity they never win.
struct SlotTable {
    SlotTable(Index n_slots, Index k);
    double* row(Index slot) { return values.data() + slot * stride; }
    const double* row(Index slot) const { return values.data() + slot * stride; }

    Index k;
    Index stride;
    std::vector<double> values;
    std::vector<double> bias;
};

/// out[c] = bias[c] + sum over the row's shares of share * table(slot, c), for all `stride` columns.
void score_row(const LabelRows& rows, Index i, const SlotTable& table, double* out);

}  // namespace intarsia
