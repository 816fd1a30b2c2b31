#pragma once

#include "intarsia/common/types.hpp"

namespace intarsia {

/// Most groups that centres are split into: a point keeps one bound for each.
inline constexpr Index kMaxGroups = 32;

/// Centres in groups of neighbours, as the kernels see them.
template <class T>
struct GroupTable {
    const T* by_group;      // group g, dimension j, slot s: by_group[(g * n_dims + j) * width + s]
    const Label* ids;       // ids[g * width + s], ascending within a group
    const Label* group_of;  // by centre id
    const T* by_id;         // the centres row by row
    const T* shift;         // how far each centre moved, rounded up
    const T* drop;          // how far any centre of a group moved
    Index n_dims;
    Index n_groups;
    Index n_bounds;  // n_groups padded to whole vectors
    Index width;     // slots of a group, a multiple of kPad
    T margin;        // a bound must hold by this factor to make up for rounding
};

/// Points and what each knows: its own centre is at most `upper` away, every other centre of group g at
/// least bounds[i * n_bounds + g].
template <class T>
struct BoundTable {
    const T* x;
    const Label* labels;
    T* upper;
    T* bounds;
};

/// A point whose bounds do not decide its label.
template <class T>
struct Suspect {
    Index point;
    T least;  // smallest of its bounds
    T own;    // squared distance to its own centre
};

}  // namespace intarsia
