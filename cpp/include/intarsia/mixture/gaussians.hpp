#pragma once

#include <string>
#include <vector>

#include "intarsia/common/types.hpp"

namespace intarsia {

enum class Covariance { kFull, kDiagonal, kSpherical };

/// k Gaussians with weights: means k x d; covariances k x d x d (full), k x d (diagonal) or k (spherical).
struct Gaussians {
    Covariance type = Covariance::kFull;
    Index k = 0;
    Index d = 0;
    std::vector<double> weights;
    std::vector<double> means;
    std::vector<double> covariances;

    Gaussians(Covariance type, Index k, Index d);
    const double* mean(Index c) const { return means.data() + c * d; }
    double* mean(Index c) { return means.data() + c * d; }
    Index covariance_size() const;
};

/// Numbers of a packed lower triangle.
inline Index triangle_size(Index d) { return d * (d + 1) / 2; }

/// What densities need of every Gaussian: a factor A with A' A = inverse covariance (a packed lower triangle,
/// or d scales) and the part of the log density that does not depend on the point.
class Densities {
  public:
    /// Throws InvalidInput when a covariance is not positive definite.
    explicit Densities(const Gaussians& mixture);

    const Gaussians& mixture() const { return *mixture_; }
    /// scores[c * kPanel + i] = log(weight_c * density_c(point i)); `scratch` holds d * kPanel numbers.
    void log_densities(const double* panel, double* scratch, double* scores) const;

  private:
    void factor_full(Index c);
    void factor_diagonal(Index c);

    const Gaussians* mixture_;
    Index factor_size_;
    std::vector<double> factors_;
    std::vector<double> constants_;
};

}  // namespace intarsia
