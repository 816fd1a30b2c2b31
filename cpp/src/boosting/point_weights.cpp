#include "intarsia/boosting/point_weights.hpp"

#include <algorithm>
#include <cmath>

#include "intarsia/common/error.hpp"
#include "intarsia/common/parallel.hpp"
#include "intarsia/common/rng.hpp"

namespace intarsia {

namespace {

void check_pairs(std::span<const double> weights, std::span<const double> quality) {
    if (weights.empty()) throw InvalidInput("weights should not be empty.");
    if (weights.size() != quality.size()) throw InvalidInput("weights and quality differ in length.");
}

std::vector<double> running_sums(std::span<const double> weights) {
    std::vector<double> sums(weights.size());
    double total = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        if (!(weights[i] >= 0 && std::isfinite(weights[i])))
            throw InvalidInput("weights should be finite and >= 0.");
        sums[i] = total += weights[i];
    }
    if (!(total > 0 && std::isfinite(total))) throw InvalidInput("at least one weight should be > 0.");
    return sums;
}

// The first point whose running sum lies above what is drawn, found from a table of starts: the interval is
// cut into as many equal cells as there are points, so that a search passes three points on average.
class Lookup {
  public:
    explicit Lookup(std::vector<double> sums)
        : sums_(std::move(sums)), starts_(sums_.size()), last_(sums_.size() - 1) {
        const double width = sums_.back() / static_cast<double>(starts_.size());
        std::size_t i = 0;
        for (std::size_t cell = 0; cell < starts_.size(); ++cell) {
            while (i + 1 < sums_.size() && sums_[i] <= width * static_cast<double>(cell)) ++i;
            starts_[cell] = i;
        }
        while (last_ > 0 && sums_[last_ - 1] == sums_.back()) --last_;
    }

    std::size_t find(double share) const {
        const double value = share * sums_.back();
        auto cell = static_cast<std::size_t>(share * static_cast<double>(starts_.size()));
        if (cell > 0) --cell;  // rounding may have put the value below the edge of its cell
        std::size_t i = starts_[cell];
        while (i < last_ && sums_[i] <= value) ++i;
        return i;
    }

  private:
    std::vector<double> sums_;
    std::vector<std::size_t> starts_;
    std::size_t last_;  // the last point of positive weight: a value at the very end is its own
};

// Uniform draws, those of each small interval together: looked up one after another in the order in which
// they were drawn, every one of them would have to wait for memory.
std::vector<double> grouped_draws(Rng rng, Index n_draws) {
    constexpr double kGroups = 1024;
    std::vector<double> drawn(static_cast<std::size_t>(n_draws)), grouped(drawn.size());
    std::vector<std::size_t> next(static_cast<std::size_t>(kGroups) + 1, 0);
    for (double& share : drawn) {
        share = rng.uniform();
        ++next[static_cast<std::size_t>(share * kGroups) + 1];
    }
    for (std::size_t g = 1; g < next.size(); ++g) next[g] += next[g - 1];
    for (const double share : drawn) grouped[next[static_cast<std::size_t>(share * kGroups)]++] = share;
    return grouped;
}

}  // namespace

std::vector<double> draw_replicate(std::span<const double> weights, Index n_draws, std::uint64_t seed,
                                   std::uint64_t round, std::uint64_t attempt) {
    const Lookup lookup(running_sums(weights));
    std::vector<double> counts(weights.size(), 0.0);
    for (const double share : grouped_draws(Rng(seed, Stage::kBoosting, round, attempt), n_draws))
        counts[lookup.find(share)] += 1;
    return counts;
}

double pseudoloss(std::span<const double> weights, std::span<const double> quality, int n_threads) {
    check_pairs(weights, quality);
    const double sum = sum_chunks(static_cast<Index>(weights.size()), n_threads, [&](Index begin, Index end) {
        double part = 0;
        for (Index i = begin; i < end; ++i) part += weights[i] * quality[i];
        return part;
    });
    return 0.5 * sum;
}

std::vector<double> reweighted(std::span<const double> weights, std::span<const double> quality,
                               double log_beta, int n_threads) {
    check_pairs(weights, quality);
    const auto n = static_cast<Index>(weights.size());
    // Only points that can still be drawn count: a worse one without weight would push all others to zero.
    double worst = -INFINITY;
    for (Index i = 0; i < n; ++i)
        if (weights[i] > 0) worst = std::max(worst, log_beta * quality[i]);
    std::vector<double> out(weights.size());
    const double total = sum_chunks(n, n_threads, [&](Index begin, Index end) {
        double part = 0;
        for (Index i = begin; i < end; ++i) {
            out[i] = weights[i] > 0 ? weights[i] * std::exp(log_beta * quality[i] - worst) : 0.0;
            part += out[i];
        }
        return part;
    });
    if (!(total > 0 && std::isfinite(total)))
        throw InvalidInput("no weight is left: quality or beta is not finite.");
    for_chunks(n, n_threads, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) out[i] /= total;
    });
    return out;
}

}  // namespace intarsia
