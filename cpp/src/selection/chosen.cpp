#include "chosen.hpp"

#include <algorithm>
#include <numeric>

namespace intarsia {

ChosenClusters::ChosenClusters(const SelectionProblem& problem, std::vector<Point> chosen)
    : problem_(&problem), chosen_(std::move(chosen)) {
    std::sort(chosen_.begin(), chosen_.end());
    all_points_ = std::accumulate(problem.n_points.begin(), problem.n_points.end(), 0.0);
    refresh();
}

// Afresh after every move: errors do not add up, and it is one pass over the members of all candidates.
void ChosenClusters::refresh() {
    const auto& p = *problem_;
    place_.assign(p.goodness.size(), kNobody);
    load_.assign(p.goodness.size(), 0);
    goodness_ = overlap_ = 0;
    for (std::size_t at = 0; at < chosen_.size(); ++at) {
        const Point c = chosen_[at];
        place_[c] = static_cast<Point>(at);
        goodness_ += p.goodness[c];
        for (std::size_t j = 0; j < load_.size(); ++j) load_[j] += p.overlap(c, static_cast<Index>(j));
    }
    for (const Point c : chosen_) overlap_ += load_[c];
    count_points();
    objective_ = value(goodness_, overlap_, by_holder_[nobody()], size());
}

// Each pattern counts for one place at most, so that one pass does for all moves together.
void ChosenClusters::count_points() {
    const auto& p = *problem_;
    const std::size_t width = chosen_.size() + 2;
    holder_.assign(p.n_points.size(), nobody());
    for (const Point c : chosen_)
        for (const Point i : p.candidates[c]) holder_[i] = holder_[i] == nobody() ? place_[c] : several();
    by_holder_.assign(width, 0);
    for (std::size_t i = 0; i < holder_.size(); ++i) by_holder_[holder_[i]] += p.n_points[i];
    held_.assign(place_.size() * width, 0);
    for (std::size_t j = 0; j < place_.size(); ++j) {
        if (place_[j] != kNobody) continue;
        double* held = held_.data() + j * width;
        for (const Point i : p.candidates[static_cast<Index>(j)]) held[holder_[i]] += p.n_points[i];
    }
}

double ChosenClusters::value(double goodness, double overlap, double uncovered, Index size) const {
    const double reward =
        problem_->by_mean ? goodness / static_cast<double>(std::max<Index>(size, 1)) : goodness;
    return -reward + problem_->overlap_cost * overlap + problem_->uncovered_cost * (uncovered / all_points_);
}

double ChosenClusters::objective_after(Move move) const {
    const auto& p = *problem_;
    const bool leaves = move.out != kNobody, comes = move.in != kNobody;
    double goodness = goodness_, overlap = overlap_, uncovered = by_holder_[nobody()];
    if (leaves) {
        goodness -= p.goodness[move.out];
        overlap -= 2 * load_[move.out];
        uncovered += by_holder_[place_[move.out]];
    }
    if (comes) {
        goodness += p.goodness[move.in];
        overlap += 2 * load_[move.in];
        uncovered -= held_of(move.in)[nobody()];
    }
    if (leaves && comes) {
        overlap -= 2 * p.overlap(move.out, move.in);
        uncovered -= held_of(move.in)[place_[move.out]];
    }
    return value(goodness, overlap, uncovered, size() - leaves + comes);
}

void ChosenClusters::apply(Move move) {
    if (move.out != kNobody) std::erase(chosen_, move.out);
    if (move.in != kNobody)
        chosen_.insert(std::upper_bound(chosen_.begin(), chosen_.end(), move.in), move.in);
    refresh();
}

}  // namespace intarsia
