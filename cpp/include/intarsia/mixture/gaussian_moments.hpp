#pragma once

#include <vector>

#include "intarsia/common/types.hpp"
#include "intarsia/mixture/gaussians.hpp"

namespace intarsia {

/// Numbers a component's moments take: mass, d first and d or d (d + 1) / 2 second moments.
Index moment_size(Covariance type, Index d);

/// Replaces the mixture by the one of the given moments, which were taken about its means, component after
/// component; reg_covar is added to every variance. False when the means moved so far that the covariances
/// lost digits: then the moments should be taken again about the new means.
bool fit_to_moments(const std::vector<double>& sums, double reg_covar, Gaussians& mixture);

}  // namespace intarsia
