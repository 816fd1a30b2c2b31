#include "intarsia/ensemble/label_space.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "intarsia/common/error.hpp"

namespace intarsia {

namespace {

using Tile = std::array<float, kTile>;

/// Two sets of vectors and the products between them, one query against a tile of targets.
class Products {
  public:
    Products(MatrixView<const float> queries, MatrixView<const float> targets)
        : d_(queries.n_cols()),
          n_targets_(targets.n_rows()),
          queries_(queries.data(), queries.data() + queries.n_rows() * d_),
          columns_(static_cast<std::size_t>(n_targets_ * d_)) {
        if (targets.n_cols() != d_) throw InvalidInput("queries and targets should have as many columns");
        for (Index j = 0; j < n_targets_; ++j)
            for (Index t = 0; t < d_; ++t)
                columns_[static_cast<std::size_t>(t * n_targets_ + j)] = targets(j, t);
    }

    bool empty() const { return d_ == 0; }

    void sums(Index i, Index begin, Index size, Tile& out) const {
        std::fill_n(out.begin(), size, 0.0F);
        for (Index t = 0; t < d_; ++t) {
            const float mine = queries_[static_cast<std::size_t>(i * d_ + t)];
            if (mine == 0.0F) continue;
            const float* column = columns_.data() + t * n_targets_ + begin;
            for (Index j = 0; j < size; ++j) out[static_cast<std::size_t>(j)] += mine * column[j];
        }
    }

  private:
    Index d_;
    Index n_targets_;
    std::vector<float> queries_;
    std::vector<float> columns_;
};

class LabelSpaceRows : public Similarity {
  public:
    explicit LabelSpaceRows(const LabelSpace& space)
        : n_queries_(space.queries.n_rows()),
          n_targets_(space.targets.n_rows()),
          values_(space.queries, space.targets),
          presence_(space.query_presence, space.target_presence),
          finish_(space.finish),
          scale_(space.scale) {}

    Index n_queries() const override { return n_queries_; }
    Index n_targets() const override { return n_targets_; }

    void row(Index i, Index begin, Index end, float* out) const override {
        Tile sums, shared;
        for (Index at = begin; at < end; at += kTile) {
            const Index size = std::min(kTile, end - at);
            values_.sums(i, at, size, sums);
            if (presence_.empty())
                shared.fill(1.0F);
            else
                presence_.sums(i, at, size, shared);
            finish(sums, shared, size, out + (at - begin));
        }
    }

  private:
    void finish(const Tile& sums, const Tile& shared, Index size, float* out) const {
        for (Index j = 0; j < size; ++j) {
            const float known = shared[static_cast<std::size_t>(j)];
            const float ratio = sums[static_cast<std::size_t>(j)] / (known > 0 ? known : 1.0F);
            out[j] = known > 0 ? finished(ratio) : 0.0F;
        }
    }

    float finished(float ratio) const {
        // rounding may leave the distance of equal rows a little below zero
        return finish_ == Finish::kRatio ? ratio : std::exp(-scale_ * std::max(ratio, 0.0F));
    }

    Index n_queries_;
    Index n_targets_;
    Products values_;
    Products presence_;
    Finish finish_;
    float scale_;
};

}  // namespace

std::unique_ptr<Similarity> label_space_similarity(const LabelSpace& space) {
    const bool known = space.query_presence.n_cols() > 0;
    if (known && (space.query_presence.n_rows() != space.queries.n_rows() ||
                  space.target_presence.n_rows() != space.targets.n_rows()))
        throw InvalidInput("presences should have a row for each row of values");
    return std::make_unique<LabelSpaceRows>(space);
}

}  // namespace intarsia
