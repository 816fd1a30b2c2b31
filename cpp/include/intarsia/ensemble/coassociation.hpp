#pragma once

#include <memory>
#include <span>

#include "intarsia/ensemble/similarity.hpp"

namespace intarsia {

/// Co-association: among the members that label both rows, the (weighted) share that puts them together;
/// 0 where no member labels both. Labels are -1 (missing) or in [0, n_classes).
/// Costs r byte comparisons a pair when weights are equal and labels below 255, r float operations otherwise.
std::unique_ptr<Similarity> coassociation(MatrixView<const Label> queries, MatrixView<const Label> targets,
                                          std::span<const double> member_weights);

}  // namespace intarsia
