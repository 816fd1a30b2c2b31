#pragma once

#include <memory>

#include "intarsia/ensemble/similarity.hpp"

namespace intarsia {

/// From a sum of products to a similarity.
enum class Finish {
    kRatio,  ///< sum / shared
    kDecay,  ///< exp(-scale * sum / shared)
};

/// Rows as vectors: sum = u_a . v_b, and shared = p_a . p_b tells how far both rows are known (1 when the
/// presences have no columns). 0 where shared is 0.
struct LabelSpace {
    MatrixView<const float> queries;
    MatrixView<const float> targets;
    MatrixView<const float> query_presence;
    MatrixView<const float> target_presence;
    Finish finish = Finish::kRatio;
    float scale = 1.0F;
};

/// Copies the targets transposed; zeros of a query cost nothing.
std::unique_ptr<Similarity> label_space_similarity(const LabelSpace& space);

}  // namespace intarsia
