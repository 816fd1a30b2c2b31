#include "intarsia/annealing/best_seen.hpp"

namespace intarsia {

void BestSeen::note(Index point, Label label, std::span<const Label> now, double value) {
    if (value > value_) {
        value_ = value;
        if (overflowed_) return forget_all(now);
        moves_.emplace_back(static_cast<std::int32_t>(point), label);
        n_best_ = moves_.size();
    } else if (!overflowed_) {
        moves_.emplace_back(static_cast<std::int32_t>(point), label);
    }
    if (!overflowed_ && moves_.size() > 2 * labels_.size()) {
        labels();
        overflowed_ = moves_.size() > labels_.size();
        if (overflowed_) moves_.clear();
    }
}

const std::vector<Label>& BestSeen::labels() {
    for (std::size_t m = 0; m < n_best_; ++m)
        labels_[static_cast<std::size_t>(moves_[m].first)] = moves_[m].second;
    moves_.erase(moves_.begin(), moves_.begin() + static_cast<std::ptrdiff_t>(n_best_));
    n_best_ = 0;
    return labels_;
}

// More than n moves have passed since the last copy: copying all labels costs no more than they did.
void BestSeen::forget_all(std::span<const Label> now) {
    labels_.assign(now.begin(), now.end());
    moves_.clear();
    n_best_ = 0;
    overflowed_ = false;
}

}  // namespace intarsia
