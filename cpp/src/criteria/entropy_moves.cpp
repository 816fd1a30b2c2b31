#include "intarsia/criteria/entropy_moves.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "intarsia/common/label_groups.hpp"

namespace intarsia {

namespace {

// A move must gain this much for each holder, so that rounding cannot make points go round in circles.
constexpr double kLeastGain = 1e-13;

}  // namespace

EntropyMoves::EntropyMoves(const StructuralEntropy& entropy, std::span<const Label> labels, Index k,
                           SizeLimits sizes)
    : entropy_(entropy),
      counts_(entropy),
      sizes_{std::max<Index>(sizes.least, 1), sizes.most},
      labels_(labels.begin(), labels.end()),
      n_members_(static_cast<std::size_t>(k), 0),
      in_doubt_(labels.size(), 1),
      relief_(static_cast<std::size_t>(k), 0.0) {
    check_labels(labels, entropy.n_points(), k);
    for (Point j = 0; j < entropy.n_points(); ++j) {
        ++n_members_[labels_[j]];
        counts_.add(j, labels_[j]);
    }
    total_ = counts_.total();
    work_ += static_cast<std::uint64_t>(entropy.neighbourhoods().n_entries());
}

template <class Allowed>
EntropyMoves::Target EntropyMoves::best_target(Point j, Allowed&& allowed) {
    const Label home = labels_[j];
    const auto holders = entropy_.neighbourhoods().holders(j);
    work_ += holders.size();
    double leaving = 0;
    near_.clear();
    for (Point i : holders) {
        const double far = entropy_.step(i, 0);
        for (const auto& [c, count] : counts_.row(i)) {
            if (c == home) {
                leaving += entropy_.step(i, count - 1);
                continue;
            }
            if (relief_[c] == 0) near_.push_back(c);
            relief_[c] += entropy_.step(i, count) - far;
        }
    }
    Target best{kNoLabel, 0};
    for (Label c : near_) {
        const double relief = std::exchange(relief_[c], 0.0);
        if (!allowed(c)) continue;
        if (best.cluster == kNoLabel || relief < best.change || (relief == best.change && c < best.cluster))
            best = {c, relief};
    }
    best.change += entropy_.far_step(j) - leaving;
    return best;
}

void EntropyMoves::mark_around(Point j) {
    for (Point i : entropy_.neighbourhoods().holders(j)) {
        const auto around = entropy_.neighbourhoods().around(i);
        work_ += around.size() / 8;  // a mark is much less than a look
        for (Point other : around) in_doubt_[other] = 1;
    }
}

void EntropyMoves::move(Point j, Label to, double change) {
    const Label from = std::exchange(labels_[j], to);
    --n_members_[from];
    ++n_members_[to];
    counts_.remove(j, from);
    counts_.add(j, to);
    total_ += change;
    mark_around(j);
    if (in_trial_) moves_.push_back({j, from, to});
}

void EntropyMoves::move(Point j, Label to) {
    if (to == labels_[j]) return;
    work_ += 2 * entropy_.neighbourhoods().holders(j).size();
    move(j, to, counts_.insertion(j, to) - counts_.removal(j, labels_[j]));
}

bool EntropyMoves::sweep() {
    bool moved = false;
    for (Point j = 0; j < entropy_.n_points(); ++j) {
        if (!in_doubt_[j]) continue;
        in_doubt_[j] = 0;
        if (!can_leave(labels_[j])) continue;
        const Target best = best_target(j, [&](Label c) { return can_enter(c); });
        const auto n_holders = static_cast<double>(entropy_.neighbourhoods().holders(j).size());
        if (best.cluster == kNoLabel || best.change >= -kLeastGain * n_holders) continue;
        move(j, best.cluster, best.change);
        moved = true;
    }
    return moved;
}

void EntropyMoves::improve() {
    const bool is_free = sizes_.least <= 1 && sizes_.most >= entropy_.n_points();
    for (bool all_seen = false;;) {
        if (sweep()) {
            all_seen = false;
        } else if (is_free || all_seen) {
            return;
        } else {  // what the limits forbade may be allowed by now
            std::ranges::fill(in_doubt_, 1);
            all_seen = true;
        }
    }
}

void EntropyMoves::fill(Label c) {
    take(c, points_around(c));
    if (n_members_[c] >= sizes_.least) return;
    std::vector<Point> all(labels_.size());
    std::iota(all.begin(), all.end(), Point{0});
    take(c, all);
}

/// Those that share a neighbourhood with a point of the cluster, ascending.
std::vector<Point> EntropyMoves::points_around(Label c) const {
    std::vector<Point> found;
    std::vector<char> is_known(labels_.size(), 0);
    for (Point i = 0; i < entropy_.n_points(); ++i) {
        if (counts_.count(i, c) == 0) continue;
        for (Point j : entropy_.neighbourhoods().around(i))
            if (!std::exchange(is_known[j], 1)) found.push_back(j);
    }
    std::ranges::sort(found);
    return found;
}

void EntropyMoves::take(Label c, std::span<const Point> from) {
    std::vector<Move> moves;
    for (Point j : from) {
        if (labels_[j] == c) continue;
        work_ += 2 * entropy_.neighbourhoods().holders(j).size();
        moves.push_back({counts_.insertion(j, c) - counts_.removal(j, labels_[j]), j, c});
    }
    std::ranges::stable_sort(moves, {}, &Move::change);
    for (std::size_t at = 0; at < moves.size() && n_members_[c] < sizes_.least; ++at) {
        if (can_leave(labels_[moves[at].point])) move(moves[at].point, c);
    }
}

void EntropyMoves::thin(Label c) {
    std::vector<Move> moves;
    const auto has_room = [&](Label to) { return to != c && can_enter(to); };
    for (Point j = 0; j < entropy_.n_points(); ++j) {
        if (labels_[j] != c) continue;
        const Target best = best_target(j, has_room);
        // nobody near has room: last in line
        moves.push_back({best.cluster == kNoLabel ? entropy_.far_step(j) : best.change, j, best.cluster});
    }
    std::ranges::stable_sort(moves, {}, &Move::change);
    for (std::size_t at = 0; at < moves.size() && n_members_[c] > sizes_.most; ++at) {
        Label to = moves[at].to;
        for (Label other = 0; other < n_clusters() && (to == kNoLabel || !has_room(to)); ++other) to = other;
        move(moves[at].point, to);
    }
}

void EntropyMoves::keep_sizes() {
    for (Label c = 0; c < n_clusters(); ++c)
        if (n_members_[c] < sizes_.least) fill(c);
    for (Label c = 0; c < n_clusters(); ++c)
        if (n_members_[c] > sizes_.most) thin(c);
}

void EntropyMoves::close(Label c, Rng& rng) {
    std::vector<Point> left;
    for (Point j = 0; j < entropy_.n_points(); ++j)
        if (labels_[j] == c) left.push_back(j);
    while (!left.empty()) {
        std::vector<Point> still;
        for (Point j : left) {
            const Target best = best_target(j, [](Label) { return true; });
            if (best.cluster == kNoLabel)
                still.push_back(j);
            else
                move(j, best.cluster, best.change);
        }
        if (still.size() == left.size()) {
            const auto other = static_cast<Label>(rng.below(static_cast<std::uint64_t>(n_clusters() - 1)));
            for (Point j : still) move(j, other < c ? other : other + 1);
            return;
        }
        left = std::move(still);
    }
}

void EntropyMoves::open(Point p, Label c, Index most) {
    move(p, c);
    for (Point j : entropy_.neighbourhoods().around(p)) {
        if (n_members_[c] >= most) return;
        move(j, c);
    }
}

void EntropyMoves::begin_trial() {
    moves_.clear();
    in_trial_ = true;
    start_total_ = total_;
}

void EntropyMoves::take_back() {
    in_trial_ = false;
    for (auto undo = moves_.rbegin(); undo != moves_.rend(); ++undo) {
        labels_[undo->point] = undo->from;
        --n_members_[undo->to];
        ++n_members_[undo->from];
        counts_.remove(undo->point, undo->to);
        counts_.add(undo->point, undo->from);
    }
    // a trial begins at a local optimum: there is nothing to look at again
    std::ranges::fill(in_doubt_, 0);
    total_ = start_total_;
}

std::vector<Label> EntropyMoves::touched() const {
    std::vector<Label> found;
    for (const Undo& undo : moves_) found.insert(found.end(), {undo.from, undo.to});
    std::ranges::sort(found);
    found.erase(std::ranges::unique(found).begin(), found.end());
    return found;
}

}  // namespace intarsia
