#include "intarsia/criteria/entropy_counts.hpp"

#include <algorithm>

namespace intarsia {

EntropyCounts::EntropyCounts(const StructuralEntropy& entropy)
    : entropy_(entropy), rows_(static_cast<std::size_t>(entropy.n_points())) {}

Index EntropyCounts::count(Point i, Label c) const {
    const auto found = std::ranges::find(rows_[i], c, &Entry::cluster);
    return found == rows_[i].end() ? 0 : found->count;
}

void EntropyCounts::add(Point j, Label c) {
    for (Point i : entropy_.neighbourhoods().holders(j)) {
        const auto found = std::ranges::find(rows_[i], c, &Entry::cluster);
        if (found == rows_[i].end())
            rows_[i].push_back({c, 1});
        else
            ++found->count;
    }
}

void EntropyCounts::remove(Point j, Label c) {
    for (Point i : entropy_.neighbourhoods().holders(j)) {
        const auto found = std::ranges::find(rows_[i], c, &Entry::cluster);
        if (--found->count > 0) continue;
        *found = rows_[i].back();
        rows_[i].pop_back();
    }
}

double EntropyCounts::insertion(Point j, Label c) const {
    double sum = entropy_.far_step(j);
    for (Point i : entropy_.neighbourhoods().holders(j)) {
        if (const Index here = count(i, c); here > 0) sum += entropy_.step(i, here) - entropy_.step(i, 0);
    }
    return sum;
}

double EntropyCounts::removal(Point j, Label c) const {
    double sum = 0;
    for (Point i : entropy_.neighbourhoods().holders(j)) sum += entropy_.step(i, count(i, c) - 1);
    return sum;
}

double EntropyCounts::total() const {
    double sum = 0;
    for (Point i = 0; i < entropy_.n_points(); ++i)
        for (const Entry& entry : rows_[i]) sum += entropy_.part(i, entry.count);
    return sum;
}

}  // namespace intarsia
