#include "intarsia/mixture/gaussian_moments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace intarsia {

namespace {

// Second moments about the mean from those about a shift that is `delta` away.
void set_covariance(Gaussians& mixture, Index c, const double* second, double mass,
                    const std::vector<double>& delta, double reg_covar) {
    const Index d = mixture.d;
    double* out = mixture.covariances.data() + c * mixture.covariance_size();
    double trace = 0;
    for (Index i = 0; i < d; ++i) {
        if (mixture.type == Covariance::kFull) {
            for (Index j = 0; j <= i; ++j)
                out[i * d + j] = out[j * d + i] =
                    second[triangle_size(i) + j] / mass - delta[i] * delta[j] + (i == j ? reg_covar : 0.0);
            continue;
        }
        const double variance = std::max(second[i] / mass - delta[i] * delta[i], 0.0) + reg_covar;
        if (mixture.type == Covariance::kDiagonal) out[i] = variance;
        trace += variance;
    }
    if (mixture.type == Covariance::kSpherical) out[0] = trace / static_cast<double>(d);
}

// Whether the subtraction of delta^2 has cost more digits than a covariance can spare.
bool lost_digits(const Gaussians& mixture, const double* second, double mass,
                 const std::vector<double>& delta, double reg_covar) {
    constexpr double kTolerated = 1e4;
    for (Index j = 0; j < mixture.d; ++j) {
        const double square = delta[j] * delta[j];
        const Index at = mixture.type == Covariance::kFull ? triangle_size(j) + j : j;
        if (square > kTolerated * (std::abs(second[at] / mass - square) + reg_covar)) return true;
    }
    return false;
}

}  // namespace

Index moment_size(Covariance type, Index d) {
    return 1 + d + (type == Covariance::kFull ? triangle_size(d) : d);
}

bool fit_to_moments(const std::vector<double>& sums, double reg_covar, Gaussians& mixture) {
    const Index d = mixture.d, size = moment_size(mixture.type, d);
    bool precise = true;
    double all = 0;
    std::vector<double> delta(static_cast<std::size_t>(d));
    for (Index c = 0; c < mixture.k; ++c) {
        const double* own = sums.data() + c * size;
        const double mass = own[0] + 10 * std::numeric_limits<double>::epsilon();
        for (Index j = 0; j < d; ++j) delta[j] = own[1 + j] / mass;
        precise = precise && !lost_digits(mixture, own + 1 + d, mass, delta, reg_covar);
        set_covariance(mixture, c, own + 1 + d, mass, delta, reg_covar);
        for (Index j = 0; j < d; ++j) mixture.mean(c)[j] += delta[j];
        mixture.weights[c] = mass;
        all += mass;
    }
    for (double& weight : mixture.weights) weight /= all;
    return precise;
}

}  // namespace intarsia
