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

// Afresh after every move: errors do not add up, and it costs less than looking for the move.
void ChosenClusters::refresh() {
    const auto& p = *problem_;
    is_chosen_.assign(p.goodness.size(), 0);
    n_covering_.assign(p.n_points.size(), 0);
    load_.assign(p.goodness.size(), 0);
    goodness_ = overlap_ = 0;
    for (const Point c : chosen_) {
        is_chosen_[c] = 1;
        goodness_ += p.goodness[c];
        for (const Point point : p.candidates[c]) ++n_covering_[point];
        for (std::size_t j = 0; j < load_.size(); ++j) load_[j] += p.overlap(c, static_cast<Index>(j));
    }
    for (const Point c : chosen_) overlap_ += load_[c];
    uncovered_ = 0;
    for (std::size_t i = 0; i < n_covering_.size(); ++i)
        if (n_covering_[i] == 0) uncovered_ += p.n_points[i];
    objective_ = value(goodness_, overlap_, uncovered_, size());
}

double ChosenClusters::value(double goodness, double overlap, double uncovered, Index size) const {
    const double reward =
        problem_->by_mean ? goodness / static_cast<double>(std::max<Index>(size, 1)) : goodness;
    return -reward + problem_->overlap_cost * overlap + problem_->uncovered_cost * (uncovered / all_points_);
}

ChosenClusters::Outcomes ChosenClusters::evaluate(Point out) {
    const auto& p = *problem_;
    const bool leaves = out != kNobody;
    double uncovered = uncovered_;
    if (leaves)
        for (const Point point : p.candidates[out])
            if (--n_covering_[point] == 0) uncovered += p.n_points[point];
    const double goodness = goodness_ - (leaves ? p.goodness[out] : 0);
    const double overlap = overlap_ - (leaves ? 2 * load_[out] : 0);
    const Index left = size() - (leaves ? 1 : 0);
    Outcomes found{value(goodness, overlap, uncovered, left), std::vector<double>(p.goodness.size(), 0)};
    for (std::size_t j = 0; j < p.goodness.size(); ++j) {
        if (is_chosen_[j]) continue;
        const auto in = static_cast<Point>(j);
        double covered = 0;
        for (const Point point : p.candidates[in])
            if (n_covering_[point] == 0) covered += p.n_points[point];
        const double load = load_[j] - (leaves ? p.overlap(out, in) : 0);
        found.with[j] = value(goodness + p.goodness[j], overlap + 2 * load, uncovered - covered, left + 1);
    }
    if (leaves)
        for (const Point point : p.candidates[out]) ++n_covering_[point];
    return found;
}

void ChosenClusters::apply(Move move) {
    if (move.out != kNobody) std::erase(chosen_, move.out);
    if (move.in != kNobody)
        chosen_.insert(std::upper_bound(chosen_.begin(), chosen_.end(), move.in), move.in);
    refresh();
}

}  // namespace intarsia
