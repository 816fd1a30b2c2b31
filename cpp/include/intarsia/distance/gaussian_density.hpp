#pragma once

#include <vector>

#include "intarsia/common/types.hpp"

namespace intarsia {

/// Density of the points at each place: the mean over all points of a spherical Gaussian of standard
/// deviation `width` about them. Every point counts at every place, and only a panel of points is held.
template <class T>
std::vector<double> gaussian_density(MatrixView<const T> x, MatrixView<const double> places, double width,
                                     int n_threads);

}  // namespace intarsia
