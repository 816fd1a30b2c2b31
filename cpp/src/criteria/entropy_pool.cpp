#include "intarsia/criteria/entropy_pool.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "intarsia/common/error.hpp"
#include "intarsia/common/label_groups.hpp"

namespace intarsia {

std::vector<Index> add_entropy_clusters(ColumnPool& pool, const StructuralEntropy& entropy,
                                        std::span<const Label> labels, Index k, std::int32_t origin,
                                        const SizeLimits& sizes) {
    check_labels(labels, pool.n_points(), k);
    if (entropy.n_points() != pool.n_points())
        throw InvalidInput("the pool should be of as many points as the neighbourhoods.");
    const Groups groups = group_labels(labels, k);
    std::vector<Index> ids(static_cast<std::size_t>(k), ColumnPool::kAbsent);
    for (Index c = 0; c < k; ++c) {
        if (!sizes.allow(std::ssize(groups[c]))) continue;
        ids[c] = pool.find(groups[c]);
        if (ids[c] == ColumnPool::kAbsent) ids[c] = pool.add(groups[c], entropy.cost(groups[c]), origin).id;
    }
    return ids;
}

}  // namespace intarsia
