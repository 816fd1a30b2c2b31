#pragma once

#include <limits>
#include <span>
#include <vector>

#include "intarsia/cover/reduced_costs.hpp"
#include "intarsia/pool/columns.hpp"

namespace intarsia {

/// How the dual of the cover problem is climbed. Work is counted in iterations, never in seconds.
struct AscentOptions {
    bool equality = false;      // every point exactly once: multipliers may be negative
    int max_iterations = 400;   // steps, each on the core columns only
    int price_every = 10;       // all columns are priced after so many steps
    double core_factor = 10.0;  // core size as a multiple of the columns that the relaxation takes
    double step = 1.0;          // first Polyak factor
    int patience = 20;          // steps without progress before the factor is halved
    double upper_bound = std::numeric_limits<double>::infinity();  // cost of a known cover
    double magnitude = 0.0;  // where costs cancel: what tolerances are relative to at least
    int n_threads = 1;
};

struct Ascent {
    double bound;                       // valid over all columns
    std::vector<double> multipliers;    // one for each point
    std::vector<double> reduced_costs;  // of all columns at these multipliers
    Index n_iterations;
};

/// A cheap dual start: each point pays its share in the cheapest column that holds it, that column's cost
/// raised by the mean price of one more column. Negative where costs are.
std::vector<double> first_multipliers(const Columns& columns);

/// Subgradient ascent for min c x, every point covered, so many columns. `start` may be empty (cold).
/// Steps are taken on a core of the columns of least reduced cost; the bound is always over all columns.
Ascent ascend(const Columns& columns, CountRange counts, std::span<const double> start,
              const AscentOptions& options);

}  // namespace intarsia
