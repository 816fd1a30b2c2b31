#include "intarsia/mixture/gaussians.hpp"

#include <cmath>
#include <numbers>

#include "intarsia/common/error.hpp"
#include "intarsia/distance/panel_kernels.hpp"

namespace intarsia {

namespace {

void require_positive(double pivot, Index c) {
    if (!(pivot > 0) || !std::isfinite(pivot))
        throw InvalidInput("the covariance of component " + std::to_string(c) +
                           " is not positive definite: increase reg_covar or ask for fewer components.");
}

// Overwrites a packed lower triangle by its Cholesky factor.
void cholesky(std::vector<double>& a, Index d, Index c) {
    for (Index i = 0; i < d; ++i) {
        double* row = a.data() + triangle_size(i);
        for (Index j = 0; j <= i; ++j) {
            const double* other = a.data() + triangle_size(j);
            double sum = row[j];
            for (Index l = 0; l < j; ++l) sum -= row[l] * other[l];
            if (i == j) require_positive(sum, c);
            row[j] = i == j ? std::sqrt(sum) : sum / other[j];
        }
    }
}

// out = inverse of a packed lower triangle.
void invert_triangle(const std::vector<double>& a, Index d, double* out) {
    for (Index i = 0; i < d; ++i) {
        const double* row = a.data() + triangle_size(i);
        for (Index j = 0; j <= i; ++j) {
            double sum = i == j ? 1.0 : 0.0;
            for (Index l = j; l < i; ++l) sum -= row[l] * out[triangle_size(l) + j];
            out[triangle_size(i) + j] = sum / row[i];
        }
    }
}

}  // namespace

Gaussians::Gaussians(Covariance form, Index n_components, Index n_dims)
    : type(form),
      k(n_components),
      d(n_dims),
      weights(static_cast<std::size_t>(k), 1.0 / static_cast<double>(k)),
      means(static_cast<std::size_t>(k * d), 0.0),
      covariances(static_cast<std::size_t>(k * covariance_size()), 0.0) {}

Index Gaussians::covariance_size() const {
    return type == Covariance::kFull ? d * d : type == Covariance::kDiagonal ? d : 1;
}

Densities::Densities(const Gaussians& mixture)
    : mixture_(&mixture),
      factor_size_(mixture.type == Covariance::kFull ? triangle_size(mixture.d) : mixture.d),
      factors_(static_cast<std::size_t>(mixture.k * factor_size_)),
      constants_(static_cast<std::size_t>(mixture.k)) {
    const double normal = -0.5 * static_cast<double>(mixture.d) * std::log(2 * std::numbers::pi);
    for (Index c = 0; c < mixture.k; ++c) {
        constants_[c] = std::log(mixture.weights[c]) + normal;
        if (mixture.type == Covariance::kFull)
            factor_full(c);
        else
            factor_diagonal(c);
    }
}

void Densities::factor_full(Index c) {
    const Index d = mixture_->d;
    std::vector<double> triangle(static_cast<std::size_t>(factor_size_));
    const double* covariance = mixture_->covariances.data() + c * d * d;
    for (Index i = 0; i < d; ++i)
        for (Index j = 0; j <= i; ++j) triangle[triangle_size(i) + j] = covariance[i * d + j];
    cholesky(triangle, d, c);
    for (Index i = 0; i < d; ++i) constants_[c] -= std::log(triangle[triangle_size(i) + i]);
    invert_triangle(triangle, d, factors_.data() + c * factor_size_);
}

void Densities::factor_diagonal(Index c) {
    const bool spherical = mixture_->type == Covariance::kSpherical;
    for (Index j = 0; j < mixture_->d; ++j) {
        const double variance = mixture_->covariances[spherical ? c : c * mixture_->d + j];
        require_positive(variance, c);
        constants_[c] -= 0.5 * std::log(variance);
        factors_[c * factor_size_ + j] = 1 / std::sqrt(variance);
    }
}

void Densities::log_densities(const double* panel, double* scratch, double* scores) const {
    const PanelKernels& kernels = panel_kernels();
    const auto squared_norm = mixture_->type == Covariance::kFull ? kernels.quadratic : kernels.scaled;
    for (Index c = 0; c < mixture_->k; ++c) {
        double* out = scores + c * kPanel;
        kernels.centre(panel, mixture_->d, mixture_->mean(c), scratch);
        squared_norm(scratch, mixture_->d, factors_.data() + c * factor_size_, out);
        for (Index i = 0; i < kPanel; ++i) out[i] = constants_[c] - 0.5 * out[i];
    }
}

}  // namespace intarsia
