#include "intarsia/cover/fixing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace intarsia {

namespace {

constexpr double kSafety = 1e-9;  // relative: rounding in the bound must not cut off an equal cover

/// What the cheapest choice rises by: a column that joins costs its reduced cost less `entry`, one that
/// leaves costs `exit` less its reduced cost.
struct Exchange {
    double last_chosen;
    double entry;
    double exit;
};

Exchange cheapest_exchange(std::span<const double> reduced_costs, CountRange counts) {
    const Index k = cheapest_count(reduced_costs, counts);
    std::vector<double> sorted(reduced_costs.begin(), reduced_costs.end());
    const auto kth = sorted.begin() + (k - 1);
    std::nth_element(sorted.begin(), kth, sorted.end());
    const auto next = std::min_element(kth + 1, sorted.end());
    const double first_refused = next == sorted.end() ? std::numeric_limits<double>::infinity() : *next;
    // Within a range a column may also join, or leave, without another in its place.
    return {*kth, k < counts.most ? std::max(*kth, 0.0) : *kth,
            k > counts.least ? std::min(first_refused, 0.0) : first_refused};
}

}  // namespace

std::vector<std::int8_t> fix_columns(std::span<const double> reduced_costs, double bound, double upper_bound,
                                     CountRange counts, double magnitude) {
    check_counts(counts, std::ssize(reduced_costs));
    const Exchange cheapest = cheapest_exchange(reduced_costs, counts);
    const double slack = upper_bound + kSafety * std::max(std::abs(upper_bound), magnitude) - bound;
    std::vector<std::int8_t> fixed(reduced_costs.size(), static_cast<std::int8_t>(Fixed::kFree));
    for (std::size_t j = 0; j < fixed.size(); ++j) {
        const double r = reduced_costs[j];
        if (r - cheapest.entry > slack) fixed[j] = static_cast<std::int8_t>(Fixed::kOut);
        // Strictly below the first refused one, hence among the chosen.
        if (cheapest.exit - r > slack && r <= cheapest.last_chosen)
            fixed[j] = static_cast<std::int8_t>(Fixed::kIn);
    }
    return fixed;
}

}  // namespace intarsia
