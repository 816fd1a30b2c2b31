#include "intarsia/partition/hartigan.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "intarsia/common/error.hpp"
#include "intarsia/common/label_groups.hpp"
#include "intarsia/distance/distance.hpp"
#include "intarsia/distance/kernels.hpp"

namespace intarsia {

namespace {

// A move must gain this share of what it is about, so that rounding cannot make points go round in circles.
constexpr double kLeastGain = 1e-11;
// A trial goes on while so many times the gain of its last looks would reach the target.
constexpr Index kLooksPerCheck = 8;
constexpr double kProspect = 8;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Distances to all centres by the kernel take no longer than a kth of them one by one.
constexpr std::size_t kKernelGain = 6;

// What the squared distance of a point to the centre counts for, when it leaves the cluster or enters it.
double leaving_factor(double mass, double w) { return mass > w ? w * mass / (mass - w) : 0.0; }
double entering_factor(double mass, double w) { return w * (mass / (mass + w)); }

}  // namespace

Hartigan::Hartigan(const WeightedPoints& points, Index n_clusters, SizeLimits sizes)
    : points_(points),
      n_clusters_(n_clusters),
      n_dims_(points.n_dims()),
      stride_((n_clusters + kPad - 1) / kPad * kPad),
      sizes_{std::max<Index>(sizes.least, 1), sizes.most},
      between_points_(kernels<double>().between),
      labels_(points.n_points(), kNoLabel),
      position_(points.n_points()),
      own_(points.n_points()),
      members_(n_clusters),
      sum_(n_clusters * n_dims_),
      centre_(n_clusters * n_dims_),
      by_dimension_(stride_ * n_dims_, kInfinity),
      mass_(stride_, 1.0),
      cost_(n_clusters),
      leaving_(n_clusters),
      entering_(n_clusters),
      radius_(n_clusters),
      drift_(n_clusters),
      reach_(stride_, 0.0),
      queued_(n_clusters),
      between_(stride_),
      is_saved_(n_clusters) {
    if (n_clusters < 1 || n_clusters > points.n_points())
        throw InvalidInput("n_clusters must be between 1 and n_samples");
    check_points(points, points.n_points());
    if (points.weights.empty()) return;
    const auto [smallest, largest] = std::ranges::minmax_element(points.weights);
    min_weight_ = *smallest;
    max_weight_ = *largest;
    least_factor_ = min_weight_ / (min_weight_ + max_weight_);
}

void Hartigan::load(std::span<const Label> labels) {
    check_labels(labels, points_.n_points(), n_clusters_);
    for (auto& list : members_) list.clear();
    for (Index i = 0; i < points_.n_points(); ++i) {
        const Label c = labels[i];
        labels_[i] = c;
        position_[i] = static_cast<std::int32_t>(members_[c].size());
        members_[c].push_back(static_cast<std::int32_t>(i));
    }
    total_ = 0;
    queue_.clear();
    queue_head_ = 0;
    std::fill(queued_.begin(), queued_.end(), 0);
    for (Label c = 0; c < n_clusters_; ++c) {
        if (members_[c].empty()) throw InvalidInput("a cluster is empty");
        mass_[c] = 0;
        std::fill_n(sum_.begin() + c * n_dims_, n_dims_, 0.0);
        for (std::int32_t i : members_[c]) shift_mass(c, i, weight(i));
        set_centre(c);
        refresh(c);
        cost_[c] = 0;
        for (std::int32_t i : members_[c]) cost_[c] += weight(i) * own_[i] * own_[i];
        total_ += cost_[c];
        queue(c);
    }
}

double Hartigan::own_squared(Index i) const { return distance(i, labels_[i]); }

double Hartigan::between(const double* p, const double* q) const {
    if (n_dims_ < kLanes) return squared_distance(p, q, n_dims_);
    return between_points_(p, q, n_dims_);
}

// Cost saved by taking point i out of its cluster; a point that is all the weight there saves nothing.
double Hartigan::removal_gain(Index i, double own_squared) const {
    if (points_.weights.empty()) return leaving_[labels_[i]] * own_squared;
    return leaving_factor(mass_[labels_[i]], weight(i)) * own_squared;
}

double Hartigan::insertion_cost(Index i, Label c) const {
    if (points_.weights.empty()) return entering_[c] * distance(i, c);
    return entering_factor(mass_[c], weight(i)) * distance(i, c);
}

Hartigan::Target Hartigan::best_target(Index i) const {
    if (sizes_.most >= points_.n_points()) {
        work_ += static_cast<std::uint64_t>(n_clusters_);
        const auto found = kernels<double>().insertion(points_.row(i), n_dims_, by_dimension_.data(), stride_,
                                                       mass_.data(), weight(i), labels_[i]);
        return {static_cast<Label>(found.position), weight(i) * found.best};
    }
    Target best{kNoLabel, kInfinity};
    for (Label c = 0; c < n_clusters_; ++c) {
        if (c == labels_[i] || !can_enter(c)) continue;
        const double cost = insertion_cost(i, c);
        if (cost < best.cost) best = {c, cost};
    }
    return best;
}

void Hartigan::queue(Label c) {
    if (queued_[c]) return;
    queued_[c] = 1;
    queue_.push_back(c);
}

Index Hartigan::improve(const std::function<bool()>& stop) {
    const std::size_t before = moves_.size();
    search(-kInfinity, stop);
    const auto n_moves = static_cast<Index>(moves_.size() - before);
    if (!in_trial_) moves_.clear();
    return n_moves;
}

bool Hartigan::improve_below(double target) { return search(target); }

// Looks at queued clusters until none is left; gives up when the last looks gained too little to reach the
// target.
bool Hartigan::search(double target, const std::function<bool()>& stop) {
    const std::size_t limit = moves_.size() + 1000 + 200 * labels_.size();
    double last_total = total_;
    Index n_looks = 0;
    bool promising = true;
    while (queue_head_ < queue_.size() && moves_.size() < limit && promising && !(stop && stop())) {
        const Label c = queue_[queue_head_++];
        queued_[c] = 0;
        look_at(c);
        if (++n_looks % kLooksPerCheck == 0) {
            promising = total_ - kProspect * (last_total - total_) < target || target == -kInfinity;
            last_total = total_;
        }
    }
    clear_queue();
    return total_ < target;
}

void Hartigan::clear_queue() {
    for (; queue_head_ < queue_.size(); ++queue_head_) queued_[queue_[queue_head_]] = 0;
    queue_.clear();
    queue_head_ = 0;
}

void Hartigan::look_at(Label c) {
    if (n_clusters_ == 1) return;
    refresh(c);
    work_ += static_cast<std::uint64_t>(n_clusters_);
    kernels<double>().distances(centre(c), n_dims_, by_dimension_.data(), stride_, between_.data());
    let_leave(c);
    attract(c);
    if (is_bounded()) exchange(c);
}

// A member of `from` can only gain by moving to `to` if its own distance exceeds this share of the distance
// between the two centres (triangle inequality).
double Hartigan::least_share(Label from, Label to) const {
    const double g = mass_[from] > max_weight_ ? mass_[from] / (mass_[from] - max_weight_) : kInfinity;
    const double f = mass_[to] / (mass_[to] + max_weight_);
    return (1 - 1e-9) / (1 + std::sqrt(g / f));
}

void Hartigan::let_leave(Label c) {
    const double reach = reach_[c];
    targets_.clear();
    for (Label b = 0; b < n_clusters_; ++b)
        if (between_[b] < reach && b != c)
            targets_.emplace_back(std::sqrt(between_[b]) * least_share(c, b), b);
    if (targets_.empty()) return;
    std::sort(targets_.begin(), targets_.end());
    visiting_ = members_[c];
    for (std::int32_t i : visiting_) {
        if (!can_leave(c)) return;
        const Target best = best_of_targets(i, own_[i] + drift_[c]);
        if (best.cluster != kNoLabel) move_if_better(i, own_squared(i), best);
    }
}

// The best of the listed targets that are worth a look at a distance of at most `own` from the own centre.
Hartigan::Target Hartigan::best_of_targets(Index i, double own) const {
    const auto end =
        std::upper_bound(targets_.begin(), targets_.end(), std::pair{own, static_cast<Label>(n_clusters_)});
    const auto n_targets = static_cast<std::size_t>(end - targets_.begin());
    if (kKernelGain * n_targets > static_cast<std::size_t>(n_clusters_)) return best_target(i);
    Target best{kNoLabel, kInfinity};
    for (std::size_t t = 0; t < n_targets; ++t) {
        const Label b = targets_[t].second;
        const double cost = insertion_cost(i, b);
        if (cost < best.cost && can_enter(b)) best = {b, cost};
    }
    return best;
}

void Hartigan::attract(Label c) {
    if (!can_enter(c)) return;
    near_.clear();
    for (Label a = 0; a < n_clusters_; ++a)
        if (between_[a] < reach_[a] && a != c) near_.push_back(a);
    for (Label a : near_) attract_from(a, c, std::sqrt(between_[a]));
}

void Hartigan::attract_from(Label a, Label c, double between) {
    const double threshold = between * least_share(a, c);
    visiting_ = members_[a];
    for (std::int32_t i : visiting_) {
        const double most = own_[i] + drift_[a];
        if (most < threshold) continue;
        if (!can_leave(a) || !can_enter(c)) return;
        const double cost = insertion_cost(i, c);
        if (!(cost < removal_gain(i, most * most))) continue;  // the own distance need not be measured
        const double own = own_squared(i);
        if (cost < removal_gain(i, own) * (1 - kLeastGain)) move_if_better(i, own, best_target(i));
    }
}

bool Hartigan::move_if_better(Index i, double own, Target target) {
    if (!(target.cost < removal_gain(i, own) * (1 - kLeastGain))) return false;
    move(i, target.cluster);
    return true;
}

void Hartigan::move(Index i, Label to) {
    const Label from = labels_[i];
    save(from);
    save(to);
    const double w = weight(i);
    const double own = own_squared(i);
    const double other = distance(i, to);
    const double gain = removal_gain(i, own);
    const double loss = insertion_cost(i, to);
    cost_[from] -= gain;
    cost_[to] += loss;
    total_ += loss - gain;
    moves_.emplace_back(static_cast<std::int32_t>(i), from);
    transfer(i, to);
    if (!members_[from].empty()) {
        shift_mass(from, i, -w);
        drift_[from] += mass_[from] > 0 ? w / mass_[from] * std::sqrt(own) : 0.0;
        set_centre(from);
        set_reach(from);
    }
    drift_[to] += w / (mass_[to] + w) * std::sqrt(other);
    shift_mass(to, i, w);
    set_centre(to);
    own_[i] = std::sqrt(own_squared(i));
    radius_[to] = std::max(radius_[to], own_[i]);
    set_reach(to);
    queue(from);
    queue(to);
}

void Hartigan::transfer(Index i, Label to) {
    auto& list = members_[labels_[i]];
    const std::int32_t last = list.back();
    list[position_[i]] = last;
    position_[last] = position_[i];
    list.pop_back();
    labels_[i] = to;
    position_[i] = static_cast<std::int32_t>(members_[to].size());
    members_[to].push_back(static_cast<std::int32_t>(i));
}

void Hartigan::shift_mass(Label c, Index i, double w) {
    mass_[c] += w;
    set_factors(c);
    double* sum = sum_.data() + c * n_dims_;
    for (Index j = 0; j < n_dims_; ++j) sum[j] += w * points_.x(i, j);
}

// Those of a point without weight: a division each that every look at such a point would repeat.
void Hartigan::set_factors(Label c) {
    leaving_[c] = leaving_factor(mass_[c], 1.0);
    entering_[c] = entering_factor(mass_[c], 1.0);
}

void Hartigan::set_centre(Label c) {
    if (!(mass_[c] > 0)) return;  // only weightless points: the centre stays where it was
    for (Index j = 0; j < n_dims_; ++j) {
        const double value = sum_[c * n_dims_ + j] / mass_[c];
        centre_[c * n_dims_ + j] = value;
        by_dimension_[j * stride_ + c] = value;
    }
}

void Hartigan::refresh(Label c) {
    radius_[c] = drift_[c] = 0;
    for (std::int32_t i : members_[c]) {
        own_[i] = std::sqrt(distance(i, c));
        radius_[c] = std::max(radius_[c], own_[i]);
    }
    set_reach(c);
}

void Hartigan::set_reach(Label c) {
    if (!can_leave(c)) {
        reach_[c] = 0;
        return;
    }
    const double g = mass_[c] > max_weight_ ? mass_[c] / (mass_[c] - max_weight_) : kInfinity;
    const double reach = (radius_[c] + drift_[c]) * (1 + std::sqrt(g / least_factor_)) * (1 + 1e-9);
    reach_[c] = reach * reach;
}

double Hartigan::removal_cost(Label c) const {
    double rise = -cost_[c];
    for (std::int32_t i : members_[c]) rise += best_target(i).cost;
    return rise;
}

bool Hartigan::relocate(Label c, Index point) {
    if (labels_[point] == c) throw InvalidInput("the new start must lie in another cluster");
    if (!can_leave(labels_[point])) return false;
    visiting_ = members_[c];
    for (std::size_t m = 0; m < visiting_.size(); ++m) {
        // The last member leaves only after the new one has come: a cluster is never empty.
        if (m + 1 == visiting_.size()) move(point, c);
        const Target target = best_target(visiting_[m]);
        if (target.cluster == kNoLabel) return false;
        move(visiting_[m], target.cluster);
    }
    refresh(c);
    return fill_up(c);
}

// Draws the points nearest to where the cluster is now, of those that may leave, until it has its least size.
bool Hartigan::fill_up(Label c) {
    if (size(c) >= sizes_.least) return true;
    std::vector<std::pair<double, std::int32_t>> others;  // a heap: few of them are needed
    others.reserve(labels_.size());
    for (Index i = 0; i < points_.n_points(); ++i)
        if (labels_[i] != c && can_leave(labels_[i]))
            others.emplace_back(distance(i, c), static_cast<std::int32_t>(i));
    std::make_heap(others.begin(), others.end(), std::greater<>());
    while (size(c) < sizes_.least && !others.empty()) {
        std::pop_heap(others.begin(), others.end(), std::greater<>());
        const std::int32_t nearest = others.back().second;
        others.pop_back();
        if (can_leave(labels_[nearest])) move(nearest, c);
    }
    return size(c) >= sizes_.least;
}

void Hartigan::begin_trial() {
    in_trial_ = true;
    moves_.clear();
    total_before_ = total_;
}

std::vector<Label> Hartigan::touched() const {
    std::vector<Label> clusters;
    for (const Saved& s : saved_) clusters.push_back(s.cluster);
    return clusters;
}

void Hartigan::keep() {
    in_trial_ = false;
    moves_.clear();
    for (const Saved& s : saved_) is_saved_[s.cluster] = 0;
    saved_.clear();
    saved_vectors_.clear();
    saved_own_.clear();
}

void Hartigan::save(Label c) {
    if (!in_trial_ || is_saved_[c]) return;
    is_saved_[c] = 1;
    saved_.push_back({c, mass_[c], cost_[c], radius_[c], drift_[c]});
    saved_vectors_.insert(saved_vectors_.end(), sum_.begin() + c * n_dims_, sum_.begin() + (c + 1) * n_dims_);
    for (std::int32_t i : members_[c]) saved_own_.emplace_back(i, own_[i]);
}

void Hartigan::undo() {
    for (auto it = moves_.rbegin(); it != moves_.rend(); ++it) transfer(it->first, it->second);
    for (std::size_t s = 0; s < saved_.size(); ++s) {
        const Saved& was = saved_[s];
        mass_[was.cluster] = was.mass;
        cost_[was.cluster] = was.cost;
        std::copy_n(saved_vectors_.begin() + static_cast<Index>(s) * n_dims_, n_dims_,
                    sum_.begin() + was.cluster * n_dims_);
        radius_[was.cluster] = was.radius;
        drift_[was.cluster] = was.drift;
        set_factors(was.cluster);
        set_centre(was.cluster);
        set_reach(was.cluster);
    }
    for (const auto& [i, own] : saved_own_) own_[i] = own;
    total_ = total_before_;
    clear_queue();
    keep();
}

}  // namespace intarsia
