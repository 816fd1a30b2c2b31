#include "intarsia/criteria/entropy.hpp"

#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "intarsia/common/error.hpp"

namespace intarsia {

namespace {

double share_cost(double share, double alpha) {
    if (share == 0) return 0;
    if (alpha < 1) return std::pow(share, alpha);
    if (alpha == 1) return -share * std::log(share);
    return share - std::pow(share, alpha);
}

}  // namespace

StructuralEntropy::StructuralEntropy(Neighbourhoods neighbourhoods, double alpha)
    : around_(std::move(neighbourhoods)), alpha_(alpha) {
    if (!(alpha > 0 && std::isfinite(alpha)))
        throw InvalidInput("alpha=" + std::to_string(alpha) + " should be finite and > 0.");
    fill_parts();
    far_steps_.reserve(static_cast<std::size_t>(n_points()));
    for (Point j = 0; j < n_points(); ++j) {
        double sum = 0;
        for (Point i : around_.holders(j)) sum += step(i, 0);
        far_steps_.push_back(sum);
    }
}

// Neighbourhoods of one size share their parts: never more of them than there are neighbours and points.
void StructuralEntropy::fill_parts() {
    std::map<Index, Index> first_of_size;
    first_.reserve(static_cast<std::size_t>(n_points()));
    for (Point i = 0; i < n_points(); ++i) {
        const Index size = std::ssize(around_.around(i));
        const auto [found, is_new] = first_of_size.try_emplace(size, std::ssize(parts_));
        first_.push_back(found->second);
        if (!is_new) continue;
        for (Index count = 0; count <= size; ++count)
            parts_.push_back(share_cost(static_cast<double>(count) / static_cast<double>(size), alpha_));
    }
}

double StructuralEntropy::cost(std::span<const Point> members) const {
    thread_local std::vector<Point> counts, reached;
    counts.resize(static_cast<std::size_t>(n_points()), 0);
    reached.clear();
    for (Point j : members) {
        for (Point i : around_.holders(j)) {
            if (counts[i]++ == 0) reached.push_back(i);
        }
    }
    double sum = 0;
    for (Point i : reached) sum += part(i, std::exchange(counts[i], 0));
    return sum / static_cast<double>(n_points());
}

}  // namespace intarsia
