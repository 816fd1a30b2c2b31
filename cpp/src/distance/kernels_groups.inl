// Kernels of the group bounds (yinyang): three sieves, each passing on only the points that need the next.
// Lists are filled without branches: which point stays is a coin toss that no predictor learns.

inline double root(double v) { return __builtin_sqrt(v); }
inline float root(float v) { return __builtin_sqrtf(v); }

// Centres moved: every bound gives way; returns how many points lost the proof of their label.
template <class T, int W>
Index drift(const GroupTable<T>& groups, const BoundTable<T>& points, Index begin, Index end,
            Suspect<T>* suspects) {
    using S = Simd<T, W>;
    constexpr T eps = sizeof(T) == 4 ? static_cast<T>(__FLT_EPSILON__) : static_cast<T>(__DBL_EPSILON__);
    const typename S::Vec down = S::spread(1 - 4 * eps);
    Index n = 0;
    for (Index i = begin; i < end; ++i) {
        T* bounds = points.bounds + i * groups.n_bounds;
        typename S::Vec least = S::spread(kHuge<T>);
        for (Index g = 0; g < groups.n_bounds; g += W) {
            const typename S::Vec low = (S::load(bounds + g) - S::load(groups.drop + g)) * down;
            S::store(bounds + g, low);
            least = S::smaller(least, low);
        }
        points.upper[i] = (points.upper[i] + groups.shift[points.labels[i]]) * (1 + 4 * eps);
        suspects[n] = {i, LaneBest<T, W>::least_of(least), kHuge<T>};
        n += !(points.upper[i] < suspects[n].least * groups.margin);
    }
    return n;
}

// The true distance to the own centre clears many suspects; returns how many are left.
template <class T, int W, int D>
Index tighten_fixed(const GroupTable<T>& groups, const BoundTable<T>& points, Suspect<T>* suspects, Index n) {
    const Index d = D > 0 ? D : groups.n_dims;
    Index n_left = 0;
    for (Index q = 0; q < n; ++q) {
        Suspect<T> suspect = suspects[q];
        const T* x = points.x + suspect.point * d;
        const T* centre = groups.by_id + points.labels[suspect.point] * d;
        T own = 0;
        for (Index j = 0; j < d; ++j) own += (x[j] - centre[j]) * (x[j] - centre[j]);
        suspect.own = own;
        const T upper = root(own);
        points.upper[suspect.point] = upper;
        suspects[n_left] = suspect;
        n_left += !(upper < suspect.least * groups.margin);
    }
    return n_left;
}

// The nearest centre so far, and the runner-up in its group.
template <class T>
struct Winner {
    T best;
    Label id;
    Index group;
    T second;
};

template <class T>
inline Index open_groups(const GroupTable<T>& groups, const T* bounds, T upper, Index* open) {
    Index n = 0;
    for (Index g = 0; g < groups.n_groups; ++g) {
        open[n] = g;
        n += !(upper < bounds[g] * groups.margin);
    }
    return n;
}

template <class T, int W, int D>
inline Nearest<T> nearest_in_group(const GroupTable<T>& groups, Index g, const T* x) {
    return nearest_fixed<T, W, D>(x, groups.n_dims, groups.by_group + g * groups.n_dims * groups.width,
                                  groups.width);
}

// Looks into the groups that may hold a nearer centre, renews their bounds and returns the nearest centre.
template <class T, int W, int D>
inline Label search_point(const GroupTable<T>& groups, const BoundTable<T>& points,
                          const Suspect<T>& suspect) {
    const Index i = suspect.point;
    const Label old = points.labels[i];
    T* bounds = points.bounds + i * groups.n_bounds;
    Index open[kMaxGroups];
    const Index n_open = open_groups(groups, bounds, points.upper[i], open);
    Winner<T> winner{suspect.own, old < 0 ? 0x7fffffff : old, -1, kHuge<T>};
    bool own_group_open = old < 0;
    for (Index o = 0; o < n_open; ++o) {
        const Index g = open[o];
        const Nearest<T> r = nearest_in_group<T, W, D>(groups, g, points.x + i * groups.n_dims);
        const Label id = groups.ids[g * groups.width + r.position];
        bounds[g] = root(r.best);
        if (!own_group_open) own_group_open = g == groups.group_of[old];
        // Equal to itself as well: the own group tells its runner-up.
        if (r.best < winner.best || (r.best == winner.best && id <= winner.id))
            winner = {r.best, id, g, r.second};
    }
    if (!own_group_open && winner.id != old) {
        T& left_behind = bounds[groups.group_of[old]];
        left_behind = left_behind < points.upper[i] ? left_behind : points.upper[i];
    }
    if (winner.group >= 0) bounds[winner.group] = root(winner.second);
    points.upper[i] = root(winner.best);
    return winner.id;
}

template <class T, int W>
Index tighten(const GroupTable<T>& groups, const BoundTable<T>& points, Suspect<T>* suspects, Index n) {
    return fixed_dims(groups.n_dims, [&](auto dims) {
        return tighten_fixed<T, W, decltype(dims)::value>(groups, points, suspects, n);
    });
}

// found[q] = nearest centre of suspect q.
template <class T, int W>
void search(const GroupTable<T>& groups, const BoundTable<T>& points, const Suspect<T>* suspects, Index n,
            Label* found) {
    fixed_dims(groups.n_dims, [&](auto dims) {
        for (Index q = 0; q < n; ++q)
            found[q] = search_point<T, W, decltype(dims)::value>(groups, points, suspects[q]);
    });
}
