// Loops over one panel, generic in the vector width W (float64 lanes). Included once for each instruction
// set, inside an unnamed namespace: nothing of the standard library may be used here (see
// kernels_direct.inl).

inline constexpr Index kSumLanes = 8;
inline constexpr Index kTile = 16;

template <int W>
struct Wide {
    typedef double Vec __attribute__((vector_size(W * 8), may_alias));
    typedef double Unaligned __attribute__((vector_size(W * 8), aligned(8), may_alias));
    typedef unsigned long Bits __attribute__((vector_size(W * 8), may_alias));

    static inline Vec load(const double* p) { return *reinterpret_cast<const Unaligned*>(p); }
    static inline void store(double* p, Vec v) { *reinterpret_cast<Unaligned*>(p) = v; }
    static inline Vec spread(double v) { return v - Vec{}; }
};

// exp(x) for x <= 0, within a few units in the last place: x = n ln 2 + r, |r| <= ln 2 / 2, Taylor in r.
template <int W>
inline typename Wide<W>::Vec exp_below_one(typename Wide<W>::Vec x) {
    using V = Wide<W>;
    constexpr double kRounder = 6755399441055744.0;  // 1.5 * 2^52: adding it leaves n in the low bits
    const typename V::Vec shifted = x * 1.4426950408889634 + kRounder;
    const typename V::Vec n = shifted - kRounder;
    const typename V::Vec r = (x - n * 0x1.62e42fee00000p-1) - n * 0x1.a39ef35793c76p-33;
    typename V::Vec p = V::spread(1.0 / 6227020800.0);
    p = p * r + 1.0 / 479001600.0;
    p = p * r + 1.0 / 39916800.0;
    p = p * r + 1.0 / 3628800.0;
    p = p * r + 1.0 / 362880.0;
    p = p * r + 1.0 / 40320.0;
    p = p * r + 1.0 / 5040.0;
    p = p * r + 1.0 / 720.0;
    p = p * r + 1.0 / 120.0;
    p = p * r + 1.0 / 24.0;
    p = p * r + 1.0 / 6.0;
    p = p * r + 0.5;
    p = p * r + 1.0;
    p = p * r + 1.0;
    const typename V::Bits scaled = (typename V::Bits)p + ((typename V::Bits)shifted << 52);
    return x < -708.0 ? V::spread(0.0) : (typename V::Vec)scaled;
}

template <int W>
void centre_panel(const double* panel, Index n_dims, const double* centre, double* out) {
    using V = Wide<W>;
    for (Index j = 0; j < n_dims; ++j) {
        const typename V::Vec c = V::spread(centre[j]);
        for (Index i = j * kPanel; i < (j + 1) * kPanel; i += W) V::store(out + i, V::load(panel + i) - c);
    }
}

template <int W>
void quadratic(const double* centred, Index n_dims, const double* triangle, double* out) {
    using V = Wide<W>;
    constexpr Index kVecs = kTile / W;
    for (Index i = 0; i < kPanel; i += kTile) {
        typename V::Vec total[kVecs] = {};
        const double* a = triangle;
        for (Index row = 0; row < n_dims; ++row) {
            typename V::Vec sum[kVecs] = {};
            for (Index j = 0; j <= row; ++j, ++a)
                for (Index v = 0; v < kVecs; ++v) sum[v] += *a * V::load(centred + j * kPanel + i + v * W);
            for (Index v = 0; v < kVecs; ++v) total[v] += sum[v] * sum[v];
        }
        for (Index v = 0; v < kVecs; ++v) V::store(out + i + v * W, total[v]);
    }
}

template <int W>
void scaled(const double* centred, Index n_dims, const double* scale, double* out) {
    using V = Wide<W>;
    constexpr Index kVecs = kTile / W;
    for (Index i = 0; i < kPanel; i += kTile) {
        typename V::Vec total[kVecs] = {};
        for (Index j = 0; j < n_dims; ++j)
            for (Index v = 0; v < kVecs; ++v) {
                const typename V::Vec t = scale[j] * V::load(centred + j * kPanel + i + v * W);
                total[v] += t * t;
            }
        for (Index v = 0; v < kVecs; ++v) V::store(out + i + v * W, total[v]);
    }
}

template <int W>
void distances(const double* panel, Index n_dims, const double* centre, double* out) {
    using V = Wide<W>;
    constexpr Index kVecs = kTile / W;
    for (Index i = 0; i < kPanel; i += kTile) {
        typename V::Vec total[kVecs] = {};
        for (Index j = 0; j < n_dims; ++j)
            for (Index v = 0; v < kVecs; ++v) {
                const typename V::Vec t = V::load(panel + j * kPanel + i + v * W) - centre[j];
                total[v] += t * t;
            }
        for (Index v = 0; v < kVecs; ++v) V::store(out + i + v * W, total[v]);
    }
}

template <int W>
void softmax(double* scores, Index k, double* largest, double* total) {
    using V = Wide<W>;
    for (Index i = 0; i < kPanel; i += W) {
        typename V::Vec top = V::load(scores + i);
        for (Index c = 1; c < k; ++c) {
            const typename V::Vec s = V::load(scores + c * kPanel + i);
            top = s > top ? s : top;
        }
        typename V::Vec sum{};
        for (Index c = 0; c < k; ++c) {
            const typename V::Vec e = exp_below_one<W>(V::load(scores + c * kPanel + i) - top);
            V::store(scores + c * kPanel + i, e);
            sum += e;
        }
        for (Index c = 0; c < k; ++c)
            V::store(scores + c * kPanel + i, V::load(scores + c * kPanel + i) / sum);
        V::store(largest + i, top);
        V::store(total + i, sum);
    }
}

template <int W>
void roots(double* values, Index k) {
    for (Index i = 0; i < k * kPanel; ++i) values[i] = __builtin_sqrt(values[i]);
}

template <int W>
void inverse_shares(double* costs, Index k, double* smallest, double* total) {
    using V = Wide<W>;
    for (Index i = 0; i < kPanel; i += W) {
        typename V::Vec least = V::load(costs + i);
        for (Index c = 1; c < k; ++c) {
            const typename V::Vec s = V::load(costs + c * kPanel + i);
            least = s < least ? s : least;
        }
        typename V::Vec sum{};
        for (Index c = 0; c < k; ++c) {
            const typename V::Vec share = least / V::load(costs + c * kPanel + i);
            V::store(costs + c * kPanel + i, share);
            sum += share;
        }
        const typename V::Vec part = 1.0 / sum;
        for (Index c = 0; c < k; ++c)
            V::store(costs + c * kPanel + i, V::load(costs + c * kPanel + i) * part);
        V::store(smallest + i, least);
        V::store(total + i, sum);
    }
}

// Eight running sums of products, whatever the vector width.
template <int W>
struct LaneSums {
    using V = Wide<W>;
    static constexpr Index kVecs = kSumLanes / W;
    typename V::Vec lane[kVecs] = {};

    inline void add(const double* a, const double* b) {
        for (Index v = 0; v < kVecs; ++v) lane[v] += V::load(a + v * W) * V::load(b + v * W);
    }
    inline void add(const double* a) {
        for (Index v = 0; v < kVecs; ++v) lane[v] += V::load(a + v * W);
    }
    inline double total() const {
        double sum[kSumLanes];
        for (Index v = 0; v < kVecs; ++v) V::store(sum + v * W, lane[v]);
        for (Index half = kSumLanes / 2; half > 0; half /= 2)
            for (Index l = 0; l < half; ++l) sum[l] += sum[l + half];
        return sum[0];
    }
};

template <int W>
double sum_panel(const double* a) {
    LaneSums<W> sums;
    for (Index i = 0; i < kPanel; i += kSumLanes) sums.add(a + i);
    return sums.total();
}

// Adds the products of `a` with N neighbouring dimensions: `a` is read once for all of them.
template <int W, int N>
inline void add_products(const double* a, const double* dims, double* out) {
    LaneSums<W> sums[N];
    for (Index i = 0; i < kPanel; i += kSumLanes)
        for (int q = 0; q < N; ++q) sums[q].add(a + i, dims + q * kPanel + i);
    for (int q = 0; q < N; ++q) out[q] += sums[q].total();
}

template <int W>
void products(const double* a, const double* dims, Index n_dims, double* out) {
    Index j = 0;
    for (; j + 4 <= n_dims; j += 4) add_products<W, 4>(a, dims + j * kPanel, out + j);
    for (; j < n_dims; ++j) add_products<W, 1>(a, dims + j * kPanel, out + j);
}

template <int W>
double dot(const double* a, const double* b) {
    double sum = 0;
    add_products<W, 1>(a, b, &sum);
    return sum;
}

template <int W>
double decayed(const double* costs, const double* weights) {
    using V = Wide<W>;
    double shares[kPanel];
    for (Index i = 0; i < kPanel; i += W) V::store(shares + i, exp_below_one<W>(-V::load(costs + i)));
    return dot<W>(shares, weights);
}

template <int W>
void multiply(const double* a, const double* b, double* out) {
    for (Index i = 0; i < kPanel; i += W)
        Wide<W>::store(out + i, Wide<W>::load(a + i) * Wide<W>::load(b + i));
}

template <int W>
void means(const double* centred, Index n_dims, const double* r, double* sums) {
    sums[0] += sum_panel<W>(r);
    products<W>(r, centred, n_dims, sums + 1);
}

template <int W>
void full_moments(const double* centred, Index n_dims, const double* r, double* sums) {
    means<W>(centred, n_dims, r, sums);
    double weighted[kPanel];
    double* out = sums + 1 + n_dims;
    for (Index j = 0; j < n_dims; out += ++j) {
        multiply<W>(r, centred + j * kPanel, weighted);
        products<W>(weighted, centred, j + 1, out);
    }
}

template <int W>
void diagonal_moments(const double* centred, Index n_dims, const double* r, double* sums) {
    means<W>(centred, n_dims, r, sums);
    double weighted[kPanel];
    for (Index j = 0; j < n_dims; ++j) {
        multiply<W>(r, centred + j * kPanel, weighted);
        products<W>(weighted, centred + j * kPanel, 1, sums + 1 + n_dims + j);
    }
}

template <int W>
constexpr PanelKernels make_panel_kernels() {
    return {centre_panel<W>,   quadratic<W>,    scaled<W>,           distances<W>, softmax<W>, roots<W>,
            inverse_shares<W>, full_moments<W>, diagonal_moments<W>, means<W>,     dot<W>,     decayed<W>};
}
