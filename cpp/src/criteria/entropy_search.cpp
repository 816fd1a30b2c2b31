#include "intarsia/criteria/entropy_search.hpp"

#include <algorithm>
#include <cmath>

#include "intarsia/common/deadline.hpp"
#include "intarsia/criteria/entropy_moves.hpp"

namespace intarsia {

namespace {

constexpr double kFirstLook = 100;      // times the neighbours that there are
constexpr double kLeastChange = 1e-12;  // of the cost: less may be rounding
constexpr int kDraws = 20;              // to find a point on a border
constexpr double kKeepWithin = 1.0;     // mean entropies of a cluster above where a trial began

/// Asked before each trial: whether the work is done, or its later half was in vain.
class Patience {
  public:
    Patience(const EntropyMoves& moves, const StructuralEntropy& entropy, const EntropySearchOptions& options)
        : moves_(moves),
          options_(options),
          least_(entropy.least()),
          start_(moves.work()),
          next_look_(kFirstLook * static_cast<double>(entropy.neighbourhoods().n_entries())),
          last_(moves.cost()) {}

    bool is_over() {
        if (moves_.work() >= options_.max_work) return true;
        if (moves_.work() - start_ < next_look_) return false;
        const double gain = last_ - moves_.cost();
        next_look_ *= 2;
        last_ = moves_.cost();
        return options_.least_gain > 0 && gain <= options_.least_gain * (last_ - least_);
    }

  private:
    const EntropyMoves& moves_;
    const EntropySearchOptions& options_;
    double least_, start_, next_look_, last_;
};

class Swaps {
  public:
    Swaps(const StructuralEntropy& entropy, EntropyMoves& moves, ColumnPool& columns, const SizeLimits& sizes,
          Rng& rng)
        : entropy_(entropy), moves_(moves), columns_(columns), sizes_(sizes), rng_(rng) {}

    void try_one() {
        const double before = moves_.cost();
        moves_.begin_trial();
        const Label closed = moves_.labels()[border_point()];
        const Point seed = draw();
        moves_.close(closed, rng_);
        moves_.open(seed, closed, (entropy_.n_points() + moves_.n_clusters() - 1) / moves_.n_clusters());
        moves_.keep_sizes();
        moves_.improve();
        const double mean = (before - entropy_.least()) / static_cast<double>(moves_.n_clusters());
        if (moves_.cost() <= before + kKeepWithin * mean) collect();
        if (!(moves_.cost() < before - kLeastChange * std::abs(before))) moves_.take_back();
    }

  private:
    Point draw() { return static_cast<Point>(rng_.below(static_cast<std::uint64_t>(entropy_.n_points()))); }

    // Two clusters where there should be one meet at a border.
    Point border_point() {
        Point drawn = draw();
        for (int i = 1; i < kDraws && !moves_.is_mixed(drawn); ++i) drawn = draw();
        return drawn;
    }

    void collect() {
        for (Label c : moves_.touched()) {
            if (!sizes_.allow(moves_.size(c))) continue;
            std::vector<Point> members;
            for (Point j = 0; j < entropy_.n_points(); ++j)
                if (moves_.labels()[j] == c) members.push_back(j);
            if (columns_.find(members) == ColumnPool::kAbsent)
                columns_.add(members, entropy_.cost(members), 0);
        }
    }

    const StructuralEntropy& entropy_;
    EntropyMoves& moves_;
    ColumnPool& columns_;
    SizeLimits sizes_;
    Rng& rng_;
};

}  // namespace

EntropySearchResult entropy_swap_search(const StructuralEntropy& entropy, std::span<const Label> labels,
                                        Index k, const EntropySearchOptions& options, Rng& rng) {
    const Deadline deadline(options.seconds);
    EntropyMoves moves(entropy, labels, k, options.sizes);
    moves.improve();
    EntropySearchResult result{{}, moves.cost(), 0, ColumnPool(entropy.n_points())};
    if (k > 1) {
        Patience patience(moves, entropy, options);
        Swaps swaps(entropy, moves, result.columns, options.sizes, rng);
        for (Index i = 0; i < options.n_swaps && !deadline.is_over() && !patience.is_over(); ++i)
            swaps.try_one();
    }
    result.labels = moves.labels();
    result.work = moves.work();
    return result;
}

}  // namespace intarsia
