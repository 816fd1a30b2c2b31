#include "intarsia/partition/jump.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "intarsia/common/error.hpp"
#include "intarsia/common/parallel.hpp"
#include "intarsia/distance/distance.hpp"

namespace intarsia {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kSlack = 1 + 1e-12;
constexpr Index kPoints = 64;  // of a chunk: each looks at many others

struct Served {
    double near, second;  // squared distances
};

class Jumps {
  public:
    Jumps(const WeightedPoints& points, MatrixView<const double> centres)
        : points_(points),
          centres_(centres),
          served_(static_cast<std::size_t>(points.n_points())),
          members_(static_cast<std::size_t>(centres.n_rows())),
          loss_(members_.size(), 0),
          reach_(members_.size(), 0) {
        for (Index i = 0; i < points.n_points(); ++i) serve(i);
    }

    Jump best_to(Index point) const {
        if (!(served_[point].near > 0)) return {};
        Jump best{point, kNoLabel, kInfinity};
        double gain = 0;  // of those who are nearer to the point, whichever centre goes
        for (std::size_t c = 0; c < members_.size(); ++c) {
            double rise = loss_[c];
            if (away(point, c) < reach_[c]) rise += take_over(c, point, gain);
            if (rise < best.change) best.centre = static_cast<Label>(c), best.change = rise;
        }
        best.change -= gain;
        return best;
    }

  private:
    double away(Index i, std::size_t c) const {
        return squared_distance(points_.row(i), centres_.row(static_cast<Index>(c)), points_.n_dims());
    }

    void serve(Index i) {
        Served& s = served_[i];
        s = {kInfinity, kInfinity};
        std::size_t nearest = 0;
        for (std::size_t c = 0; c < members_.size(); ++c) {
            const double d = away(i, c);
            if (d < s.near) {
                s.second = s.near, s.near = d, nearest = c;
            } else if (d < s.second) {
                s.second = d;
            }
        }
        const double length = std::sqrt(s.near) + std::sqrt(s.second);
        members_[nearest].push_back(static_cast<Point>(i));
        loss_[nearest] += points_.weight(i) * (s.second - s.near);
        reach_[nearest] = std::max(reach_[nearest], length * length * kSlack);
    }

    double take_over(std::size_t c, Index point, double& gain) const {
        double rise = 0;
        for (Point i : members_[c]) {
            const Served& s = served_[i];
            const double d = squared_distance(points_.row(i), points_.row(point), points_.n_dims());
            if (d >= s.second) continue;
            if (d < s.near) gain += points_.weight(i) * (s.near - d);
            rise += points_.weight(i) * (std::max(d, s.near) - s.second);
        }
        return rise;
    }

    const WeightedPoints& points_;
    MatrixView<const double> centres_;
    std::vector<Served> served_;
    std::vector<std::vector<Point>> members_;
    std::vector<double> loss_, reach_;
};

}  // namespace

Jump best_jump(const WeightedPoints& points, MatrixView<const double> centres, int n_threads) {
    check_points(points, points.n_points());
    if (centres.n_rows() < 1 || centres.n_cols() != points.n_dims())
        throw InvalidInput("centres should have as many columns as the points, and at least one row.");
    if (centres.n_rows() == 1) return {};
    const Jumps jumps(points, centres);
    std::vector<Jump> best(static_cast<std::size_t>(n_chunks(points.n_points(), kPoints)));
    const auto offer = [](Jump& known, const Jump& found) {
        if (found.point >= 0 && (known.point < 0 || found.change < known.change)) known = found;
    };
    for_chunks(
        points.n_points(), n_threads,
        [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) offer(best[begin / kPoints], jumps.best_to(i));
        },
        kPoints);
    Jump found;
    for (const Jump& each : best) offer(found, each);
    return found;
}

}  // namespace intarsia
