#include "intarsia/mixture/annealed_means.hpp"

#include <algorithm>
#include <cmath>

#include "intarsia/common/error.hpp"
#include "intarsia/common/parts.hpp"
#include "intarsia/distance/distance.hpp"

namespace intarsia {

namespace {

constexpr double kNothing = -37;  // the logarithm of a share that changes no sum

class Spreading {
  public:
    Spreading(const WeightedPoints& points, MatrixView<const double> centres, std::span<const double> shares,
              double temperature, bool with_products)
        : points_(points), centres_(centres), temperature_(temperature), with_products_(with_products) {
        for (double share : shares) log_shares_.push_back(std::log(share));
    }

    Index k() const { return centres_.n_rows(); }
    Index d() const { return centres_.n_cols(); }
    Index width() const { return k() * (1 + d() + (with_products_ ? d() * d() : 0)); }

    void add(Index begin, Index end, double* out) const {
        std::vector<double> share(static_cast<std::size_t>(k()));
        for (Index i = begin; i < end; ++i) {
            spread(i, share);
            for (Index c = 0; c < k(); ++c) {
                if (share[c] > 0) add_share(i, c, share[c] * points_.weight(i), out);
            }
        }
    }

  private:
    void spread(Index i, std::vector<double>& share) const {
        for (Index c = 0; c < k(); ++c)
            share[c] = log_shares_[c] - squared_distance(points_.row(i), centres_.row(c), d()) / temperature_;
        const double most = *std::max_element(share.begin(), share.end());
        double total = 0;
        for (double& s : share) {
            s = s - most < kNothing ? 0 : std::exp(s - most);
            total += s;
        }
        for (double& s : share) s /= total;
    }

    void add_share(Index i, Index c, double w, double* out) const {
        const double *x = points_.row(i), *y = centres_.row(c);
        out[c] += w;
        double* sums = out + k() + c * d();
        for (Index f = 0; f < d(); ++f) sums[f] += w * x[f];
        if (!with_products_) return;
        double* products = out + k() * (1 + d()) + c * d() * d();
        for (Index f = 0; f < d(); ++f)
            for (Index g = 0; g < d(); ++g) products[f * d() + g] += w * (x[f] - y[f]) * (x[g] - y[g]);
    }

    const WeightedPoints& points_;
    MatrixView<const double> centres_;
    double temperature_;
    bool with_products_;
    std::vector<double> log_shares_;
};

}  // namespace

AnnealedMoments annealed_moments(const WeightedPoints& points, MatrixView<const double> centres,
                                 std::span<const double> shares, double temperature, bool with_products,
                                 int n_threads) {
    check_weight_count(points.weights, points.n_points());
    if (centres.n_rows() < 1 || centres.n_cols() != points.n_dims() ||
        std::ssize(shares) != centres.n_rows() || !(temperature > 0))
        throw InvalidInput("there should be centres, a share for each, and a temperature above 0.");
    const Spreading spreading(points, centres, shares, temperature, with_products);
    const Index k = spreading.k(), d = spreading.d();
    const int threads = useful_threads(points.n_points() * k * d, n_threads);
    const auto sums = sum_parts(points.n_points(), spreading.width(), threads,
                                [&](Index begin, Index end, double* out) { spreading.add(begin, end, out); });
    return {{sums.begin(), sums.begin() + k},
            {sums.begin() + k, sums.begin() + k * (1 + d)},
            {sums.begin() + k * (1 + d), sums.end()}};
}

}  // namespace intarsia
