#include "intarsia/annealing/annealing.hpp"

#include <cmath>
#include <numeric>

#include "annealing_sweep.hpp"
#include "intarsia/common/error.hpp"

namespace intarsia {

namespace {

// In place of the start's value where that is no better than chance.
constexpr double kSmallValue = 0.1;

void check(const AnnealingOptions& o) {
    if (o.temperature && !(*o.temperature >= 0)) throw InvalidInput("temperature should be >= 0.");
    if (!(o.start_share > 0)) throw InvalidInput("start_share should be > 0.");
    if (!(o.cooling > 0 && o.cooling < 1)) throw InvalidInput("cooling should be between 0 and 1.");
    if (!(o.threshold > 0 && o.threshold < 1)) throw InvalidInput("threshold should be between 0 and 1.");
    if (o.patience < 1 || o.max_loops < 0 || o.batch < 1 || o.idle_changes < 0)
        throw InvalidInput("patience and batch should be >= 1, max_loops and idle_changes >= 0.");
}

void check_clusters(const MeanAgreement& agreement, const AnnealingOptions& options) {
    for (Label c = 0; !options.allow_empty && c < agreement.counts().k(); ++c)
        if (agreement.counts().size(c) == 0)
            throw InvalidInput("every one of the k clusters of the start should have a point.");
}

double start_temperature(const MeanAgreement& agreement, const AnnealingOptions& options) {
    if (options.temperature) return *options.temperature;
    return options.start_share * (agreement.value() > 0 ? agreement.value() : kSmallValue);
}

void run_loops(Sweep& sweep, double temperature, const AnnealingOptions& options, AnnealingResult& result) {
    Index idle = 0;
    for (Index loop = 0; loop < options.max_loops && idle < options.patience; ++loop) {
        const Index n_moves = sweep.run(temperature);
        idle = n_moves <= options.idle_changes ? idle + 1 : 0;
        temperature *= options.cooling;
        result.n_moves += n_moves;
        ++result.n_loops;
        result.history.push_back(sweep.agreement().value());
    }
    result.converged = idle == options.patience;
}

AnnealingOptions gains_only(AnnealingOptions options) {
    options.temperature = 0;
    options.choice = Choice::kBest;
    options.patience = 1;
    options.idle_changes = 0;
    return options;
}

}  // namespace

AnnealingResult descend(MeanAgreement& agreement, std::span<const Label> start,
                        const AnnealingOptions& options) {
    check(options);
    agreement.load(start);
    check_clusters(agreement, options);
    AnnealingResult result;
    result.history.push_back(agreement.value());
    const AnnealingOptions greedy = gains_only(options);
    Sweep sweep(agreement, greedy);
    run_loops(sweep, 0, greedy, result);
    result.labels.assign(agreement.counts().labels().begin(), agreement.counts().labels().end());
    result.value = agreement.value();
    return result;
}

AnnealingResult anneal(MeanAgreement& agreement, std::span<const Label> start,
                       const AnnealingOptions& options) {
    check(options);
    agreement.load(start);
    check_clusters(agreement, options);
    AnnealingResult result;
    result.history.push_back(agreement.value());
    Sweep sweep(agreement, options);
    run_loops(sweep, start_temperature(agreement, options), options, result);
    AnnealingResult best = descend(agreement, sweep.best_labels(), options);
    result.labels = std::move(best.labels);
    result.value = best.value;
    result.n_moves += best.n_moves;
    return result;
}

}  // namespace intarsia
