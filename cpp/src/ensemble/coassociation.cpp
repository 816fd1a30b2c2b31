#include "intarsia/ensemble/coassociation.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "intarsia/common/error.hpp"

namespace intarsia {

namespace {

/// Code of a missing label: the largest value, which no label has.
template <class Code>
inline constexpr Code kMissing = std::numeric_limits<Code>::max();

/// Targets column by column, so that one instruction compares many rows; Code and Sum have the same width.
template <class Code, class Sum>
class LabelRows : public Similarity {
  public:
    LabelRows(MatrixView<const Label> queries, MatrixView<const Label> targets, std::vector<Sum> weights)
        : n_queries_(queries.n_rows()), n_targets_(targets.n_rows()), weights_(std::move(weights)) {
        queries_.reserve(static_cast<std::size_t>(n_queries_ * queries.n_cols()));
        for (Index i = 0; i < n_queries_; ++i)
            for (Index q = 0; q < queries.n_cols(); ++q) queries_.push_back(code(queries(i, q)));
        columns_.reserve(static_cast<std::size_t>(n_targets_ * targets.n_cols()));
        for (Index q = 0; q < targets.n_cols(); ++q)
            for (Index j = 0; j < n_targets_; ++j) columns_.push_back(code(targets(j, q)));
        has_missing_ = std::ranges::count(columns_, kMissing<Code>) > 0;
    }

    Index n_queries() const override { return n_queries_; }
    Index n_targets() const override { return n_targets_; }

    void row(Index i, Index begin, Index end, float* out) const override {
        for (Index at = begin; at < end; at += kTile)
            tile(i, at, std::min(kTile, end - at), out + (at - begin));
    }

  private:
    static Code code(Label label) { return label == kNoLabel ? kMissing<Code> : static_cast<Code>(label); }

    void tile(Index i, Index begin, Index size, float* out) const {
        std::array<Sum, kTile> together{};
        std::array<Sum, kTile> known{};
        Sum total = 0;
        for (std::size_t q = 0; q < weights_.size(); ++q) {
            const Code mine = queries_[static_cast<std::size_t>(i) * weights_.size() + q];
            if (mine == kMissing<Code>) continue;
            const Code* column = columns_.data() + static_cast<Index>(q) * n_targets_ + begin;
            total = static_cast<Sum>(total + weights_[q]);
            add_where(column, size, weights_[q], together, [mine](Code c) { return c == mine; });
            if (has_missing_)
                add_where(column, size, weights_[q], known, [](Code c) { return c != kMissing<Code>; });
        }
        if (!has_missing_) known.fill(total);
        for (Index j = 0; j < size; ++j) {
            const float divisor = known[j] > 0 ? static_cast<float>(known[j]) : 1.0F;  // nothing known: 0 / 1
            out[j] = static_cast<float>(together[j]) / divisor;
        }
    }

    template <class Test>
    static void add_where(const Code* __restrict column, Index size, Sum weight, std::array<Sum, kTile>& sums,
                          Test test) {
        for (Index j = 0; j < size; ++j)
            sums[j] = static_cast<Sum>(sums[j] + (test(column[j]) ? weight : Sum{0}));
    }

    Index n_queries_;
    Index n_targets_;
    std::vector<Sum> weights_;
    std::vector<Code> queries_;
    std::vector<Code> columns_;
    bool has_missing_ = false;
};

Label largest(MatrixView<const Label> labels) {
    const Label* end = labels.data() + labels.n_rows() * labels.n_cols();
    return labels.data() == end ? kNoLabel : *std::max_element(labels.data(), end);
}

void check(MatrixView<const Label> labels, std::size_t n_members) {
    if (labels.n_cols() != static_cast<Index>(n_members))
        throw InvalidInput("expected one weight for each member");
    const Label* end = labels.data() + labels.n_rows() * labels.n_cols();
    if (std::any_of(labels.data(), end, [](Label l) { return l < kNoLabel; }))
        throw InvalidInput("labels should be >= -1");
}

}  // namespace

std::unique_ptr<Similarity> coassociation(MatrixView<const Label> queries, MatrixView<const Label> targets,
                                          std::span<const double> member_weights) {
    check(queries, member_weights.size());
    check(targets, member_weights.size());
    const bool equal =
        std::ranges::adjacent_find(member_weights, std::not_equal_to{}) == member_weights.end();
    const Label top = std::max(largest(queries), largest(targets));
    if (equal && member_weights.size() < 256 && top < kMissing<std::uint8_t>)
        return std::make_unique<LabelRows<std::uint8_t, std::uint8_t>>(
            queries, targets, std::vector<std::uint8_t>(member_weights.size(), 1));
    return std::make_unique<LabelRows<std::int32_t, float>>(
        queries, targets, std::vector<float>(member_weights.begin(), member_weights.end()));
}

}  // namespace intarsia
