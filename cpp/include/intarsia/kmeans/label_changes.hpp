#pragma once

#include <algorithm>
#include <vector>

#include "intarsia/common/types.hpp"

namespace intarsia {

/// What happened to the labels of one chunk of points.
struct LabelChanges {
    std::vector<Label> touched;  // clusters that lost or gained a point
    Index n_changed = 0;

    /// Gives a point its cluster and takes note if it is another one.
    void relabel(Label& label, Label c) {
        if (label == c) return;
        ++n_changed;
        if (label != kNoLabel) note(label);
        note(c);
        label = c;
    }

  private:
    // In the first pass every point comes to a cluster: repeats go before the list grows for them.
    void note(Label c) {
        if (touched.size() == touched.capacity()) {
            std::sort(touched.begin(), touched.end());
            touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
        }
        touched.push_back(c);
    }
};

/// Returns how many labels changed in all chunks and marks the clusters that were touched.
inline Index count_changes(const std::vector<LabelChanges>& by_chunk, std::vector<char>& touched) {
    Index n_changed = 0;
    for (const LabelChanges& changes : by_chunk) {
        n_changed += changes.n_changed;
        for (Label c : changes.touched) touched[c] = 1;
    }
    return n_changed;
}

}  // namespace intarsia
