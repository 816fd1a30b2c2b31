#include "intarsia/fixing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "intarsia/reduced_costs.hpp"

namespace intarsia {

namespace {

constexpr double kSafety = 1e-9;  // relative: rounding in the bound must not cut off an equal cover

struct Threshold {
    double last_chosen;    // k-th smallest reduced cost
    double first_refused;  // the next one
};

Threshold threshold(std::span<const double> reduced_costs, Index k) {
    std::vector<double> sorted(reduced_costs.begin(), reduced_costs.end());
    const auto kth = sorted.begin() + (k - 1);
    std::nth_element(sorted.begin(), kth, sorted.end());
    const auto next = std::min_element(kth + 1, sorted.end());
    return {*kth, next == sorted.end() ? std::numeric_limits<double>::infinity() : *next};
}

}  // namespace

std::vector<std::int8_t> fix_columns(std::span<const double> reduced_costs, double bound, double upper_bound,
                                     Index k) {
    check_cardinality(k, std::ssize(reduced_costs));
    const Threshold cut = threshold(reduced_costs, k);
    const double slack = upper_bound + kSafety * std::abs(upper_bound) - bound;
    std::vector<std::int8_t> fixed(reduced_costs.size(), static_cast<std::int8_t>(Fixed::kFree));
    for (std::size_t j = 0; j < fixed.size(); ++j) {
        const double r = reduced_costs[j];
        if (r - cut.last_chosen > slack) fixed[j] = static_cast<std::int8_t>(Fixed::kOut);
        // Strictly below the first refused one, hence among the k chosen.
        if (cut.first_refused - r > slack && r <= cut.last_chosen)
            fixed[j] = static_cast<std::int8_t>(Fixed::kIn);
    }
    return fixed;
}

}  // namespace intarsia
