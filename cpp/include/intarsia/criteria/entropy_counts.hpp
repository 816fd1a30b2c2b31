#pragma once

#include <span>
#include <vector>

#include "intarsia/criteria/entropy.hpp"

namespace intarsia {

/// How many neighbours of each point lie in each cluster, while points come and go; a point may be in
/// several. Costs are n times those of `StructuralEntropy`.
class EntropyCounts {
  public:
    /// A cluster around a point, and how many of the point's neighbours it holds.
    struct Entry {
        Label cluster;
        Point count;
    };

    explicit EntropyCounts(const StructuralEntropy& entropy);

    const StructuralEntropy& entropy() const { return entropy_; }
    std::span<const Entry> row(Point i) const { return rows_[i]; }
    Index count(Point i, Label c) const;

    void add(Point j, Label c);
    void remove(Point j, Label c);

    /// What cluster c would cost more with point j, which it does not hold.
    double insertion(Point j, Label c) const;
    /// What cluster c costs more for point j, which it holds.
    double removal(Point j, Label c) const;
    /// All costs added up.
    double total() const;

  private:
    const StructuralEntropy& entropy_;
    std::vector<std::vector<Entry>> rows_;  // in no order; no count is 0
};

}  // namespace intarsia
