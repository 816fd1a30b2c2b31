#include "intarsia/consensus/meta_clusters.hpp"

#include <algorithm>

#include "intarsia/common/parallel.hpp"

namespace intarsia {

namespace {

/// Weight of the clusters that each member has in each meta-cluster: members x k.
std::vector<double> shares_of_members(const Indicator& indicator, std::span<const double> member_weights,
                                      std::span<const Label> meta, Index k) {
    std::vector<double> shares(static_cast<std::size_t>(indicator.n_members() * k));
    for (Index q = 0; q < indicator.n_members(); ++q)
        for (Index c = indicator.offsets[q]; c < indicator.offsets[q + 1]; ++c)
            shares[static_cast<std::size_t>(q * k + meta[c])] += member_weights[q];
    return shares;
}

void check(const Indicator& indicator, std::span<const double> member_weights) {
    indicator.check();
    if (std::ssize(member_weights) != indicator.n_members())
        throw InvalidInput("expected one weight for each member");
}

void check_parts(std::span<const Label> parts, Index size, Index k) {
    if (std::ssize(parts) != size) throw InvalidInput("expected one part for each row");
    if (std::ranges::any_of(parts, [k](Label p) { return p < 0 || p >= k; }))
        throw InvalidInput("parts should be in [0, k)");
}

/// The state of a cut: who is where, what each part weighs, how many points it has.
class Cut {
  public:
    Cut(const Indicator& indicator, std::span<const double> member_weights,
        std::span<const double> point_weights, std::span<const Label> parts, Index k, double max_weight)
        : in_(indicator),
          member_weights_(member_weights),
          point_weights_(point_weights),
          parts_(parts.begin(), parts.end()),
          meta_(static_cast<std::size_t>(indicator.n_columns())),
          weights_(static_cast<std::size_t>(k)),
          sizes_(static_cast<std::size_t>(k)),
          max_weight_(max_weight) {
        for (std::size_t i = 0; i < parts_.size(); ++i) enter(i, parts_[i]);
    }

    /// Each cluster goes where most of its weight is.
    void move_clusters() {
        const std::size_t k = weights_.size();
        std::vector<double> ties(meta_.size() * k);
        for (Index i = 0; i < in_.n_rows(); ++i) {
            const auto part = static_cast<std::size_t>(parts_[static_cast<std::size_t>(i)]);
            const double weight = point_weights_[static_cast<std::size_t>(i)];
            in_.each(i, [&](Index q, Index c, double value) {
                ties[static_cast<std::size_t>(c) * k + part] += weight * member_weights_[q] * value;
            });
        }
        for (std::size_t c = 0; c < meta_.size(); ++c) {
            const auto begin = ties.begin() + static_cast<std::ptrdiff_t>(c * k);
            meta_[c] =
                static_cast<Label>(std::max_element(begin, begin + static_cast<std::ptrdiff_t>(k)) - begin);
        }
    }

    /// Each point goes where most of its clusters are, if there is room; returns the number of moves.
    Index move_points() {
        std::vector<double> ties(weights_.size());
        Index n_moves = 0;
        cut_ = 0;
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            tie(static_cast<Index>(i), ties);
            const Label target = best_part(i, ties);
            n_moves += target != parts_[i];
            move(i, target);
            for (std::size_t p = 0; p < ties.size(); ++p)
                if (static_cast<Label>(p) != parts_[i]) cut_ += point_weights_[i] * ties[p];
        }
        return n_moves;
    }

    BipartiteCut result() && { return {std::move(parts_), std::move(meta_), cut_}; }

  private:
    void tie(Index i, std::vector<double>& ties) const {
        std::ranges::fill(ties, 0.0);
        in_.each(i, [&](Index q, Index c, double value) {
            ties[static_cast<std::size_t>(meta_[static_cast<std::size_t>(c)])] += member_weights_[q] * value;
        });
    }

    Label best_part(std::size_t i, const std::vector<double>& ties) const {
        Label best = parts_[i];
        if (sizes_[static_cast<std::size_t>(best)] == 1) return best;
        for (std::size_t p = 0; p < ties.size(); ++p)
            if (ties[p] > ties[static_cast<std::size_t>(best)] &&
                weights_[p] + point_weights_[i] <= max_weight_)
                best = static_cast<Label>(p);
        return best;
    }

    void enter(std::size_t i, Label part) {
        weights_[static_cast<std::size_t>(part)] += point_weights_[i];
        ++sizes_[static_cast<std::size_t>(part)];
    }

    void move(std::size_t i, Label part) {
        if (part == parts_[i]) return;
        weights_[static_cast<std::size_t>(parts_[i])] -= point_weights_[i];
        --sizes_[static_cast<std::size_t>(parts_[i])];
        enter(i, part);
        parts_[i] = part;
    }

    const Indicator& in_;
    std::span<const double> member_weights_;
    std::span<const double> point_weights_;
    std::vector<Label> parts_;
    std::vector<Label> meta_;
    std::vector<double> weights_;
    std::vector<Index> sizes_;
    double max_weight_;
    double cut_ = 0;
};

}  // namespace

std::vector<double> meta_association(const Indicator& indicator, std::span<const double> member_weights,
                                     std::span<const Label> meta, Index k, int n_threads) {
    check(indicator, member_weights);
    check_parts(meta, indicator.n_columns(), k);
    const std::vector<double> shares = shares_of_members(indicator, member_weights, meta, k);
    std::vector<double> association(static_cast<std::size_t>(indicator.n_rows() * k));
    for_chunks(indicator.n_rows(), n_threads, [&](Index begin, Index end) {
        std::vector<double> known(static_cast<std::size_t>(k));
        for (Index i = begin; i < end; ++i) {
            double* mine = association.data() + i * k;
            std::ranges::fill(known, 0.0);
            for (Index q = 0; q < indicator.n_members(); ++q)
                if (indicator.labels(i, q) != kNoLabel)
                    for (Index p = 0; p < k; ++p) known[p] += shares[static_cast<std::size_t>(q * k + p)];
            indicator.each(
                i, [&](Index q, Index c, double value) { mine[meta[c]] += member_weights[q] * value; });
            for (Index p = 0; p < k; ++p)
                if (known[p] > 0) mine[p] /= known[p];
        }
    });
    return association;
}

BipartiteCut refine_bipartite(const Indicator& indicator, std::span<const double> member_weights,
                              std::span<const double> point_weights, std::span<const Label> parts, Index k,
                              double max_weight, int max_passes) {
    check(indicator, member_weights);
    check_parts(parts, indicator.n_rows(), k);
    if (std::ssize(point_weights) != indicator.n_rows())
        throw InvalidInput("expected one weight for each point");
    Cut cut(indicator, member_weights, point_weights, parts, k, max_weight);
    for (int pass = 0; pass < max_passes; ++pass) {
        cut.move_clusters();
        if (cut.move_points() == 0) break;
    }
    return std::move(cut).result();
}

}  // namespace intarsia
