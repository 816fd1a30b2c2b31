// Kernels of the search for neighbours: distances to boxes and to the points of a leaf, exact and in the
// order of the dimensions, and a sieve that lets pass what may be near; whoever calls it measures that
// exactly.

// How a distance is made of differences along the dimensions: `t` is one of them, for a box never negative.
struct SumOfSquares {
    template <class S, class V>
    static inline V joined(V sum, V t) {
        return sum + t * t;
    }
};
struct SumOfSizes {
    template <class S, class V>
    static inline V joined(V sum, V t) {
        return sum + S::larger(t, -t);
    }
};
struct LargestSize {
    template <class S, class V>
    static inline V joined(V sum, V t) {
        return S::larger(sum, S::larger(t, -t));
    }
};

// Each step rounds as it does for a point inside, and rounding keeps order: a box is never farther than that.
template <class Metric, class T, int W, int D>
unsigned boxes_fixed(const T* x, Index n_dims, const T* group, T limit, T* out) {
    using S = Simd<T, W>;
    constexpr Index kVectors = kBoxes / W;
    const Index dims = D > 0 ? D : n_dims;
    typename S::Vec sum[kVectors] = {};
    for (Index j = 0; j < dims; ++j) {
        const typename S::Vec at = S::spread(x[j]);
        const T* bounds = group + j * 2 * kBoxes;
        for (Index v = 0; v < kVectors; ++v) {
            const typename S::Vec below = S::load(bounds + v * W) - at;
            const typename S::Vec above = at - S::load(bounds + kBoxes + v * W);
            const typename S::Vec t = S::larger(S::larger(below, above), typename S::Vec{});
            sum[v] = Metric::template joined<S>(sum[v], t);
        }
    }
    unsigned bits = 0;
    for (Index v = 0; v < kVectors; ++v) {
        S::store(out + v * W, sum[v]);
        bits |= lane_bits<T, W>(sum[v] <= S::spread(limit)) << (v * W);
    }
    return bits;
}

template <class Metric, class T, int W>
unsigned boxes(const T* x, Index n_dims, const T* group, T limit, T* out) {
    constexpr int kWidth = W < kBoxes ? W : static_cast<int>(kBoxes);
    return fixed_dims(n_dims, [&](auto dims) {
        return boxes_fixed<Metric, T, kWidth, decltype(dims)::value>(x, n_dims, group, limit, out);
    });
}

// limit(v) is what the v-th vector of distances is compared with.
template <class Metric, class T, int W, int D, class Limit>
inline unsigned leaf_fixed(const T* x, Index n_dims, const T* points, T* out, Limit limit) {
    using S = Simd<T, W>;
    constexpr Index kVectors = kLeaf / W;
    const Index dims = D > 0 ? D : n_dims;
    typename S::Vec sum[kVectors] = {};
    for (Index j = 0; j < dims; ++j) {
        const typename S::Vec at = S::spread(x[j]);
        for (Index v = 0; v < kVectors; ++v) {
            const typename S::Vec t = at - S::load(points + j * kLeaf + v * W);
            sum[v] = Metric::template joined<S>(sum[v], t);
        }
    }
    unsigned bits = 0;
    for (Index v = 0; v < kVectors; ++v) {
        S::store(out + v * W, sum[v]);
        bits |= lane_bits<T, W>(sum[v] <= limit(v)) << (v * W);
    }
    return bits;
}

template <class Metric, class T, int W>
unsigned leaf(const T* x, Index n_dims, const T* points, T limit, T* out) {
    return fixed_dims(n_dims, [&](auto dims) {
        return leaf_fixed<Metric, T, W, decltype(dims)::value>(
            x, n_dims, points, out, [&](Index) { return Simd<T, W>::spread(limit); });
    });
}

template <class T, int W>
unsigned closer(const T* x, Index n_dims, const T* points, const T* limits, T* out) {
    return leaf_fixed<SumOfSquares, T, W, 0>(x, n_dims, points, out,
                                             [&](Index v) { return Simd<T, W>::load(limits + v * W); });
}

// What cannot be compared (squares that overflow) passes.
template <class T, int W>
Index sieve(const T* groups, Index n_groups, Index n_dims, const T* panels, Index n_panels,
            const T* half_norms, const T* limits, SieveHit* hits) {
    using S = Simd<T, W>;
    using Tile = ScreenTile<T, W>;
    Index n_hits = 0;
    for (Index panel = 0; panel < n_panels; ++panel) {
        for (Index g = 0; g < n_groups; ++g) {
            Tile tile;
            tile.product(groups + g * n_dims * kGroup, panels + panel * n_dims * Tile::kTile, n_dims);
            for (Index p = 0; p < kGroup; ++p) {
                const typename S::Vec limit = S::spread(limits[g * kGroup + p]);
                unsigned long long bits = 0;
                for (Index v = 0; v < Tile::kVectors; ++v) {
                    const typename S::Vec value =
                        S::load(half_norms + panel * Tile::kTile + v * W) - tile.sum[p][v];
                    const typename S::Mask far = value > limit;
                    bits |= static_cast<unsigned long long>(lane_bits<T, W>(~far)) << (v * W);
                }
                for (; bits != 0; bits &= bits - 1)
                    hits[n_hits++] = {static_cast<Point>(g * kGroup + p),
                                      static_cast<Point>(panel * Tile::kTile + __builtin_ctzll(bits))};
            }
        }
    }
    return n_hits;
}
