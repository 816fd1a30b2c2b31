#include "intarsia/cover/lagrangian.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "intarsia/common/error.hpp"

namespace intarsia {

namespace {

constexpr double kLeastStep = 1e-4;   // a smaller factor moves nothing worth pricing
constexpr double kGuessedGap = 0.05;  // target above the bound while no cover is known
constexpr double kOvershoot =
    0.01;  // target above a known cover: steps must not die before the bound is tight
constexpr Index kLeastCore = 1500;   // below this a larger core costs nothing and stalls less
constexpr double kDeflection = 1.5;  // Camerini, Fratta and Maffioli's choice
constexpr double kProgress = 1e-6;   // relative gain that counts as progress

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// The columns of least reduced cost, copied together so that a step stays in cache.
struct Core {
    std::vector<Index> offsets;
    std::vector<Point> members;
    std::vector<double> costs;
    std::vector<double> reduced;
    std::vector<Index> order;

    Columns view(Index n_points) const { return {n_points, offsets, members, costs}; }
};

class Climber {
  public:
    Climber(const Columns& columns, CountRange counts, std::span<const double> start,
            const AscentOptions& options)
        : columns_(columns),
          counts_(counts),
          options_(options),
          step_(options.step),
          reduced_(columns.costs.size()),
          u_(start.begin(), start.end()),
          gradient_(at(columns.n_points)),
          direction_(at(columns.n_points)) {
        if (u_.empty()) u_ = first_multipliers(columns);
        if (!options.equality) keep_prices_positive();
        best_u_ = u_;
    }

    Ascent run() {
        price_all();
        Index iteration = 0;
        while (iteration < options_.max_iterations && step_ > kLeastStep && !closed()) {
            const Index n = std::min<Index>(options_.price_every, options_.max_iterations - iteration);
            climb_core(n);
            iteration += n;
            price_all();
        }
        price_columns(columns_, best_u_, options_.n_threads, reduced_);
        return {best_, std::move(best_u_), std::move(reduced_), iteration};
    }

  private:
    /// What a tolerance is relative to: the value, or more where costs of both signs cancel in it.
    double size_of(double value) const { return std::max(std::abs(value), options_.magnitude); }

    bool closed() const { return options_.upper_bound - best_ <= 1e-9 * size_of(best_); }

    /// To cover a point more than once is free where rows are inequalities, so nobody pays for less.
    void keep_prices_positive() {
        for (double& u : u_) u = std::max(u, 0.0);
    }

    /// The true bound at the present multipliers, and the next core.
    void price_all() {
        price_columns(columns_, u_, options_.n_threads, reduced_);
        const double value = lagrangian_value(u_, reduced_, counts_);
        if (value > best_) {
            best_ = value;
            best_u_ = u_;
        }
        smallest_positions(reduced_, core_size(), scratch_, order_);
        fill_core();
    }

    /// All columns, where the core is no smaller: a copy of large ones would be as large as the pool.
    Columns core() const { return is_whole() ? columns_ : core_.view(columns_.n_points); }

    bool is_whole() const { return std::ssize(order_) == columns_.size(); }

    void fill_core() {
        core_.reduced.resize(order_.size());
        if (is_whole()) return;
        core_.offsets.assign(1, 0);
        core_.members.clear();
        core_.costs.clear();
        for (Index j : order_) {
            const auto members = columns_[j];
            core_.members.insert(core_.members.end(), members.begin(), members.end());
            core_.offsets.push_back(std::ssize(core_.members));
            core_.costs.push_back(columns_.costs[at(j)]);
        }
    }

    Index core_size() const {
        const Index k = cheapest_count(reduced_, counts_);
        const auto wanted = static_cast<Index>(options_.core_factor * static_cast<double>(k));
        return std::min(columns_.size(), std::max({wanted, k, kLeastCore}));
    }

    void climb_core(Index n_steps) {
        const Columns columns = core();
        for (Index s = 0; s < n_steps; ++s) {
            price_columns(columns, u_, 1, core_.reduced);
            smallest_positions(core_.reduced, cheapest_count(core_.reduced, counts_), scratch_, core_.order);
            const double value = core_value();
            note_progress(value);
            take_step(columns, value);
        }
    }

    double core_value() const {
        double value = std::accumulate(u_.begin(), u_.end(), 0.0);
        for (Index j : core_.order) value += core_.reduced[at(j)];
        return value;
    }

    void note_progress(double value) {
        if (value > record_ + kProgress * size_of(record_) || !std::isfinite(record_)) {
            record_ = value;
            stalled_ = 0;
        } else if (++stalled_ >= options_.patience) {
            step_ /= 2;
            stalled_ = 0;
            record_ = std::max(best_, value);
        }
    }

    /// Deflected Polyak step; a multiplier at zero is not pushed below it where rows are inequalities.
    void take_step(const Columns& core, double value) {
        std::fill(gradient_.begin(), gradient_.end(), 1.0);
        for (Index j : core_.order) {
            for (Point i : core[j]) gradient_[at(i)] -= 1.0;
        }
        double dot = 0, old_norm = 0;
        for (std::size_t i = 0; i < u_.size(); ++i) {
            if (!options_.equality && u_[i] <= 0 && gradient_[i] < 0) gradient_[i] = 0;
            dot += gradient_[i] * direction_[i];
            old_norm += direction_[i] * direction_[i];
        }
        const double beta = dot < 0 ? -kDeflection * dot / old_norm : 0.0;
        double norm = 0;
        for (std::size_t i = 0; i < u_.size(); ++i) {
            direction_[i] = gradient_[i] + beta * direction_[i];
            norm += direction_[i] * direction_[i];
        }
        if (norm == 0) return;
        const double length = step_ * std::max(target() - value, 1e-9 * size_of(value)) / norm;
        for (std::size_t i = 0; i < u_.size(); ++i) u_[i] += length * direction_[i];
        if (!options_.equality) keep_prices_positive();
    }

    double target() const {
        if (!std::isfinite(options_.upper_bound)) return best_ + kGuessedGap * size_of(best_);
        return options_.upper_bound + kOvershoot * size_of(options_.upper_bound);
    }

    const Columns& columns_;
    CountRange counts_;
    const AscentOptions& options_;
    double step_;
    double best_ = -std::numeric_limits<double>::infinity();
    double record_ = -std::numeric_limits<double>::infinity();
    int stalled_ = 0;
    std::vector<double> reduced_;
    std::vector<double> u_, best_u_, gradient_, direction_, scratch_;
    std::vector<Index> order_;
    Core core_;
};

}  // namespace

std::vector<double> first_multipliers(const Columns& columns) {
    std::vector<double> share(at(columns.n_points), std::numeric_limits<double>::infinity());
    const double mean = columns.size() ? std::accumulate(columns.costs.begin(), columns.costs.end(), 0.0) /
                                             static_cast<double>(columns.size())
                                       : 0.0;
    for (Index j = 0; j < columns.size(); ++j) {
        const double each = (columns.costs[at(j)] + mean) / static_cast<double>(columns[j].size());
        for (Point i : columns[j]) share[at(i)] = std::min(share[at(i)], each);
    }
    for (double& u : share) u = std::isfinite(u) ? u : 0.0;
    return share;
}

Ascent ascend(const Columns& columns, CountRange counts, std::span<const double> start,
              const AscentOptions& options) {
    check_counts(counts, columns.size());
    if (!start.empty() && static_cast<Index>(start.size()) != columns.n_points) {
        throw InvalidInput("multipliers should have one entry for each of the " +
                           std::to_string(columns.n_points) + " points.");
    }
    return Climber(columns, counts, start, options).run();
}

}  // namespace intarsia
