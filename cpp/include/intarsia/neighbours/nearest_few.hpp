#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "intarsia/common/types.hpp"

namespace intarsia {

/// A point and how far it is: squared, unless the metric is none of squares. The nearer comes first; of
/// equally far ones the lower number.
struct Neighbour {
    double squared;
    Point id;

    friend bool operator<(const Neighbour& a, const Neighbour& b) {
        return a.squared != b.squared ? a.squared < b.squared : a.id < b.id;
    }
};

/// After every neighbour there is.
inline constexpr Neighbour kNobody{std::numeric_limits<double>::infinity(),
                                   std::numeric_limits<Point>::max()};

/// The k first neighbours of those offered so far.
class NearestFew {
  public:
    explicit NearestFew(Index k) : k_(static_cast<std::size_t>(k)) { found_.reserve(k_); }

    void clear() {
        found_.clear();
        last_ = kNobody;
    }

    /// Whoever does not come before this one is not among the k.
    const Neighbour& last() const { return last_; }

    void offer(Neighbour candidate) {
        if (!(candidate < last_)) return;
        if (k_ <= kSorted)
            insert(candidate);
        else
            push(candidate);
    }

    /// Those found, in order; nothing may be offered afterwards until `clear`.
    const std::vector<Neighbour>& sorted() {
        if (k_ > kSorted) std::sort(found_.begin(), found_.end());
        return found_;
    }

  private:
    static constexpr std::size_t kSorted = 24;  // few are kept in order, many in a heap

    void insert(Neighbour candidate) {
        if (found_.size() < k_) found_.push_back(candidate);
        std::size_t at = found_.size() - 1;
        for (; at > 0 && candidate < found_[at - 1]; --at) found_[at] = found_[at - 1];
        found_[at] = candidate;
        if (found_.size() == k_) last_ = found_.back();
    }

    void push(Neighbour candidate) {
        if (found_.size() < k_) {
            found_.push_back(candidate);
            std::push_heap(found_.begin(), found_.end());
        } else {
            replace_last(candidate);
        }
        if (found_.size() == k_) last_ = found_.front();
    }

    // The top of the heap goes; the hole sinks to where the candidate belongs.
    void replace_last(Neighbour candidate) {
        std::size_t hole = 0;
        for (std::size_t child = 1; child < k_; child = 2 * hole + 1) {
            if (child + 1 < k_ && found_[child] < found_[child + 1]) ++child;
            if (!(candidate < found_[child])) break;
            found_[hole] = found_[child];
            hole = child;
        }
        found_[hole] = candidate;
    }

    std::size_t k_;
    Neighbour last_ = kNobody;
    std::vector<Neighbour> found_;
};

}  // namespace intarsia
