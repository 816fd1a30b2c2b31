#include "intarsia/consensus/mode_moves.hpp"

#include <algorithm>

namespace intarsia {

namespace {

// Counts of every slot in every cluster, and for every member the two largest of them.
class ModeMoves {
  public:
    ModeMoves(const LabelProblem& problem, std::span<const double> member_weights,
              std::span<const Label> labels)
        : problem_(problem),
          slots_(problem.rows.slots()),
          member_weights_(member_weights),
          counts_(tally(problem, labels, {})),
          largest_(slots_.n_members(), problem.k),
          second_(slots_.n_members(), problem.k),
          sizes_(static_cast<std::size_t>(problem.k), 0),
          change_(static_cast<std::size_t>(counts_.stride)) {
        for (Label c : labels) ++sizes_[c];
        for (Label c = 0; c < problem.k; ++c)
            for (Index j = 0; j < slots_.n_members(); ++j) refresh(j, c);
    }

    // The cluster where row i would cost least, its present one unless another is cheaper.
    Label best_for(Index i, Label now) {
        if (sizes_[now] < 2) return now;
        const double w = problem_.weight(i);
        std::fill(change_.begin(), change_.end(), 0.0);
        double saved = 0;
        for (Index j = 0; j < slots_.n_members(); ++j) {
            if (problem_.rows.labels()(i, j) < 0) continue;
            saved += member_weights_[j] * (w - loss_of_leaving(i, j, now, w));
            add_cost_of_joining(i, j, w);
        }
        Label best = now;
        double least = saved - kMargin * w;
        for (Label c = 0; c < problem_.k; ++c)
            if (c != now && change_[c] < least) {
                least = change_[c];
                best = c;
            }
        return best;
    }

    void move(Index i, Label from, Label to) {
        --sizes_[from];
        ++sizes_[to];
        const double w = problem_.weight(i);
        for (Index j = 0; j < slots_.n_members(); ++j) {
            double* count = counts_.row(slot(i, j));
            count[from] -= w;
            count[to] += w;
            refresh(j, from);
            refresh(j, to);
        }
    }

    // Weight outside the modes.
    double cost() const {
        double sum = 0;
        for (Index j = 0; j < slots_.n_members(); ++j)
            for (Index c = 0; c < problem_.k; ++c) {
                double all = 0;
                for (Index s = slots_.base(j) + 1; s < slots_.end(j); ++s) all += counts_.row(s)[c];
                sum += member_weights_[j] * (all - largest_.row(j)[c]);
            }
        return sum;
    }

  private:
    // A gain below this share of the row's weight is rounding.
    static constexpr double kMargin = 1e-9;

    Index slot(Index i, Index j) const { return slots_.base(j) + 1 + problem_.rows.labels()(i, j); }

    // By how much the mode's count falls when the row leaves.
    double loss_of_leaving(Index i, Index j, Label c, double w) const {
        const double count = counts_.row(slot(i, j))[c];
        const double top = largest_.row(j)[c];
        return count < top ? 0.0 : top - std::max(count - w, second_.row(j)[c]);
    }

    void add_cost_of_joining(Index i, Index j, double w) {
        const double* count = counts_.row(slot(i, j));
        const double* top = largest_.row(j);
        for (Index c = 0; c < counts_.stride; ++c)
            change_[c] += member_weights_[j] * (w - std::max(0.0, count[c] + w - top[c]));
    }

    void refresh(Index j, Label c) {
        double first = 0;
        double next = 0;
        for (Index s = slots_.base(j) + 1; s < slots_.end(j); ++s) {
            const double count = counts_.row(s)[c];
            next = std::max(next, std::min(count, first));
            first = std::max(first, count);
        }
        largest_.row(j)[c] = first;
        second_.row(j)[c] = next;
    }

    const LabelProblem& problem_;
    const SlotMap& slots_;
    std::span<const double> member_weights_;
    SlotTable counts_;
    SlotTable largest_;
    SlotTable second_;
    std::vector<Index> sizes_;
    std::vector<double> change_;
};

}  // namespace

double improve_modes(const LabelProblem& problem, std::span<const double> member_weights,
                     std::vector<Label>& labels) {
    ModeMoves moves(problem, member_weights, labels);
    bool moved = true;
    for (Index sweep = 0; sweep < problem.max_iter && moved; ++sweep) {
        moved = false;
        for (Index i = 0; i < static_cast<Index>(labels.size()); ++i) {
            const Label to = moves.best_for(i, labels[i]);
            if (to == labels[i]) continue;
            moves.move(i, labels[i], to);
            labels[i] = to;
            moved = true;
        }
    }
    return ModeMoves(problem, member_weights, labels).cost();
}

}  // namespace intarsia
