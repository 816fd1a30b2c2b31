#include "intarsia/bic/bic_cost.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace intarsia {

double bic_cost(const BicModel& model, Index size, double sum_of_squares) {
    const auto n = static_cast<double>(size);
    const bool pooled = model.variance > 0;
    const double own = pooled ? model.variance : sum_of_squares / (n * model.n_dims);
    const double variance = std::max(own, model.least_variance);
    const double n_parameters = model.n_dims + (pooled ? 1 : 2);
    return sum_of_squares / (2 * variance) +
           n * model.n_dims / 2 * std::log(2 * std::numbers::pi * variance) -
           n * std::log(n / model.n_points) + n_parameters / 2 * std::log(model.n_points);
}

}  // namespace intarsia
