#include "intarsia/cover/reduced_costs.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

#include "intarsia/common/error.hpp"
#include "intarsia/common/parallel.hpp"

namespace intarsia {

namespace {

// A pass over fewer members is done before a second thread has woken up, and on busy processors long before.
constexpr Index kMembersPerThread = 500'000;

}  // namespace

void price_columns(const Columns& columns, std::span<const double> multipliers, int n_threads,
                   std::span<double> reduced_costs) {
    const Index useful = 1 + std::ssize(columns.members) / kMembersPerThread;
    for_chunks(columns.size(), static_cast<int>(std::min<Index>(n_threads, useful)),
               [&](Index begin, Index end) {
                   for (Index j = begin; j < end; ++j) {
                       double paid = 0;
                       for (Point i : columns[j]) paid += multipliers[static_cast<std::size_t>(i)];
                       reduced_costs[static_cast<std::size_t>(j)] =
                           columns.costs[static_cast<std::size_t>(j)] - paid;
                   }
               });
}

void check_counts(CountRange counts, Index n_columns) {
    if (counts.least >= 1 && counts.least <= counts.most && counts.least <= n_columns) return;
    const std::string least = std::to_string(counts.least), most = std::to_string(counts.most);
    throw InvalidInput("k=" + (least == most ? least : least + " to " + most) +
                       " should be in [1, n_columns=" + std::to_string(n_columns) + "].");
}

Index cheapest_count(std::span<const double> reduced_costs, CountRange counts) {
    if (counts.least == counts.most) return counts.least;
    const Index n_negative = std::ranges::count_if(reduced_costs, [](double r) { return r < 0; });
    return std::clamp(n_negative, counts.least, counts.most);
}

double lagrangian_value(std::span<const double> multipliers, std::span<const double> reduced_costs,
                        CountRange counts) {
    check_counts(counts, std::ssize(reduced_costs));
    const Index k = cheapest_count(reduced_costs, counts);
    std::vector<double> sorted(reduced_costs.begin(), reduced_costs.end());
    std::nth_element(sorted.begin(), sorted.begin() + (k - 1), sorted.end());
    const double paid = std::accumulate(multipliers.begin(), multipliers.end(), 0.0);
    return std::accumulate(sorted.begin(), sorted.begin() + k, paid);
}

void smallest_positions(std::span<const double> values, Index count, std::vector<double>& scratch,
                        std::vector<Index>& positions) {
    positions.clear();
    double edge = std::numeric_limits<double>::infinity();
    if (count < std::ssize(values)) {
        scratch.assign(values.begin(), values.end());
        std::nth_element(scratch.begin(), scratch.begin() + (count - 1), scratch.end());
        edge = scratch[static_cast<std::size_t>(count - 1)];
    }
    Index n_equal = count - std::count_if(values.begin(), values.end(), [&](double v) { return v < edge; });
    for (std::size_t j = 0; j < values.size(); ++j) {
        if (values[j] < edge || (values[j] == edge && n_equal-- > 0))
            positions.push_back(static_cast<Index>(j));
    }
}

}  // namespace intarsia
