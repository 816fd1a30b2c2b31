#include "intarsia/bic/bic_moves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "intarsia/common/error.hpp"
#include "intarsia/common/label_groups.hpp"
#include "intarsia/distance/distance.hpp"

namespace intarsia {

namespace {

constexpr double kRounding = 1e-10;  // of the costs that are compared: a smaller gain may be none
constexpr double kNever = std::numeric_limits<double>::infinity();

class Clusters {
  public:
    Clusters(MatrixView<const double> x, std::span<const Label> labels, Index k, const BicModel& model,
             std::pair<Index, Index> counts, const SizeLimits& sizes)
        : x_(x), model_(model), counts_(counts), sizes_(sizes), labels_(labels.begin(), labels.end()) {
        resize(k);
        renew();
    }

    std::vector<Label> improve() {
        do {
            while (pass()) renew();
        } while (merge_best());
        return numbered();
    }

  private:
    void resize(Index k) {
        size_.resize(static_cast<std::size_t>(k), 0);
        sse_.resize(static_cast<std::size_t>(k), 0);
        mean_.resize(static_cast<std::size_t>(k * x_.n_cols()), 0);
    }

    Label n_slots() const { return static_cast<Label>(size_.size()); }
    const double* mean(Label c) const { return mean_.data() + c * x_.n_cols(); }
    double cost(Index size, double sse) const {
        return size == 0 ? 0 : bic_cost(model_, size, std::max(sse, 0.0));
    }
    double cost(Label c) const { return cost(size_[c], sse_[c]); }
    Index n_filled() const {
        return std::count_if(size_.begin(), size_.end(), [](Index n) { return n > 0; });
    }
    bool may_have(Index k) const { return k >= counts_.first && k <= counts_.second; }

    // Means and sums of squares afresh, so that no rounding adds up.
    void renew() {
        std::fill(size_.begin(), size_.end(), 0);
        std::fill(sse_.begin(), sse_.end(), 0.0);
        std::fill(mean_.begin(), mean_.end(), 0.0);
        const Index d = x_.n_cols();
        for (Index i = 0; i < x_.n_rows(); ++i) {
            ++size_[labels_[i]];
            for (Index f = 0; f < d; ++f) mean_[labels_[i] * d + f] += x_(i, f);
        }
        for (Label c = 0; c < n_slots(); ++c) {
            for (Index f = 0; f < d && size_[c] > 0; ++f) mean_[c * d + f] /= static_cast<double>(size_[c]);
        }
        for (Index i = 0; i < x_.n_rows(); ++i) sse_[labels_[i]] += away(i, labels_[i]);
    }

    double away(Index i, Label c) const { return squared_distance(x_.row(i), mean(c), x_.n_cols()); }

    double sse_with(Index i, Label c) const {
        const auto n = static_cast<double>(size_[c]);
        return size_[c] == 0 ? 0 : sse_[c] + n / (n + 1) * away(i, c);
    }
    double sse_without(Index i, Label c) const {
        const auto n = static_cast<double>(size_[c]);
        return size_[c] <= 2 ? 0 : sse_[c] - n / (n - 1) * away(i, c);
    }

    bool pass() {
        bool moved = false;
        for (Index i = 0; i < x_.n_rows(); ++i) moved |= move_point(i);
        return moved;
    }

    bool move_point(Index i) {
        const Label home = labels_[i];
        const bool alone = size_[home] == 1;
        if (alone ? !may_have(n_filled() - 1) : size_[home] <= sizes_.least) return false;
        const double left = cost(size_[home] - 1, sse_without(i, home));
        const double here = cost(home) - left;
        Label target = kNoLabel;
        double best = kNever;
        for (Label c = 0; c < n_slots(); ++c) {
            if (c == home || size_[c] == 0 || size_[c] >= sizes_.most) continue;
            const double there = cost(size_[c] + 1, sse_with(i, c)) - cost(c);
            if (there < best) target = c, best = there;
        }
        if (!alone && sizes_.least <= 1 && may_have(n_filled() + 1) && cost(1, 0) < best) {
            best = cost(1, 0);
            target = empty_slot();
        }
        if (target == kNoLabel) return false;
        const double magnitude = std::abs(cost(home)) + std::abs(cost(target)) + std::abs(left);
        if (!(here - best > kRounding * magnitude)) return false;
        move(i, home, target);
        return true;
    }

    Label empty_slot() {
        const auto found = std::find(size_.begin(), size_.end(), 0);
        const auto slot = static_cast<Label>(found - size_.begin());
        if (found == size_.end()) resize(slot + 1);
        return slot;
    }

    void move(Index i, Label from, Label to) {
        const double sse_from = sse_without(i, from), sse_to = sse_with(i, to);
        shift_mean(i, from, -1);
        shift_mean(i, to, 1);
        sse_[from] = sse_from;
        sse_[to] = sse_to;
        labels_[i] = to;
    }

    void shift_mean(Index i, Label c, Index by) {
        size_[c] += by;
        const auto n = static_cast<double>(std::max<Index>(1, size_[c]));
        double* m = mean_.data() + c * x_.n_cols();
        for (Index f = 0; f < x_.n_cols(); ++f) m[f] += static_cast<double>(by) * (x_(i, f) - m[f]) / n;
    }

    bool merge_best() {
        if (!may_have(n_filled() - 1)) return false;
        Label a = kNoLabel, b = kNoLabel;
        double best = 0;
        for (Label c = 0; c < n_slots(); ++c) {
            for (Label e = c + 1; e < n_slots(); ++e) {
                const double change = merged(c, e);
                if (change < best) best = change, a = c, b = e;
            }
        }
        if (a == kNoLabel) return false;
        std::replace(labels_.begin(), labels_.end(), b, a);
        renew();
        return true;
    }

    // By how much the cost rises when two clusters become one; infinite where they may not.
    double merged(Label a, Label b) const {
        if (size_[a] == 0 || size_[b] == 0 || size_[a] + size_[b] > sizes_.most) return kNever;
        const auto n = static_cast<double>(size_[a]), m = static_cast<double>(size_[b]);
        const double sse =
            sse_[a] + sse_[b] + n * m / (n + m) * squared_distance(mean(a), mean(b), x_.n_cols());
        const double apart = cost(a) + cost(b), together = cost(size_[a] + size_[b], sse);
        const double magnitude = std::abs(cost(a)) + std::abs(cost(b));
        return together < apart - kRounding * magnitude ? together - apart : kNever;
    }

    std::vector<Label> numbered() const {
        std::vector<Label> number(size_.size(), kNoLabel), found;
        Label next = 0;
        for (Label c = 0; c < n_slots(); ++c) {
            if (size_[c] > 0) number[c] = next++;
        }
        for (Label label : labels_) found.push_back(number[label]);
        return found;
    }

    MatrixView<const double> x_;
    BicModel model_;
    std::pair<Index, Index> counts_;
    SizeLimits sizes_;
    std::vector<Label> labels_;
    std::vector<Index> size_;
    std::vector<double> sse_, mean_;
};

}  // namespace

std::vector<Label> bic_moves(MatrixView<const double> x, std::span<const Label> labels, Index k,
                             const BicModel& model, std::pair<Index, Index> counts, const SizeLimits& sizes) {
    check_labels(labels, x.n_rows(), k);
    if (!(model.variance >= 0) || !(model.variance + model.least_variance > 0))
        throw InvalidInput("a variance should be above 0.");
    return Clusters(x, labels, k, model, counts, sizes).improve();
}

}  // namespace intarsia
