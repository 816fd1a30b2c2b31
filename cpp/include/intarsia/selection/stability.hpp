#pragma once

#include <span>
#include <vector>

#include "intarsia/common/types.hpp"

namespace intarsia {

/// How well each of the k clusters of a reference is found again in another partition of the same points.
///
/// C* is the union of the other's clusters with more than half of their points in cluster C. The score of C
/// is the mutual information of {C, rest} and {C*, rest} over the mean of their entropies; 0 where C or C* is
/// empty or everything, 1 exactly where they are equal. A missing label (-1) is a point outside every
/// cluster. One pass over the points and one over the k x k_other table, for all clusters together.
std::vector<double> cluster_stability(std::span<const Label> reference, Index k, std::span<const Label> other,
                                      Index k_other);

}  // namespace intarsia
