// Exact kernels, generic in the vector width W. Included once for each instruction set, inside an unnamed
// namespace: no inline function of the standard library may be used here, or the linker could share AVX code
// with old CPUs.

template <int Bytes>
struct PositionOf;
template <>
struct PositionOf<4> {
    using Type = int;
};
template <>
struct PositionOf<8> {
    using Type = long;
};

template <class T, int W>
struct Simd {
    typedef T Vec __attribute__((vector_size(W * sizeof(T)), may_alias));
    typedef T Unaligned __attribute__((vector_size(W * sizeof(T)), aligned(sizeof(T)), may_alias));
    using Mask = decltype(Vec{} < Vec{});
    using Position = typename PositionOf<sizeof(T)>::Type;

    static inline Vec load(const T* p) { return *reinterpret_cast<const Unaligned*>(p); }
    static inline void store(T* p, Vec v) { *reinterpret_cast<Unaligned*>(p) = v; }
    static inline Vec spread(T v) { return v - Vec{}; }
    static inline Mask spread_position(Index p) { return static_cast<Position>(p) - Mask{}; }
    static inline Vec smaller(Vec a, Vec b) { return a < b ? a : b; }
    static inline Vec larger(Vec a, Vec b) { return a < b ? b : a; }
    static inline Mask first_positions() {
        Mask m{};
        for (int l = 0; l < W; ++l) m[l] = l;
        return m;
    }
    // Explicit, because -ffp-contract=off keeps the compiler from fusing; only the screening kernel may fuse.
    static inline Vec multiply_add(Vec a, Vec b, Vec c) {
#if defined(__AVX512F__)
        if constexpr (sizeof(Vec) == 64 && sizeof(T) == 8)
            return (Vec)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
        if constexpr (sizeof(Vec) == 64 && sizeof(T) == 4)
            return (Vec)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif defined(__FMA__)
        if constexpr (sizeof(Vec) == 32 && sizeof(T) == 8)
            return (Vec)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
        if constexpr (sizeof(Vec) == 32 && sizeof(T) == 4)
            return (Vec)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#endif
        return a * b + c;
    }
};

// One bit for each lane that is set.
template <class T, int W>
inline unsigned lane_bits(typename Simd<T, W>::Mask mask) {
#if defined(__AVX512F__) && defined(__AVX512DQ__)
    if constexpr (W * sizeof(T) == 64 && sizeof(T) == 8)
        return static_cast<unsigned>(_mm512_movepi64_mask((__m512i)mask));
    if constexpr (W * sizeof(T) == 64 && sizeof(T) == 4)
        return static_cast<unsigned>(_mm512_movepi32_mask((__m512i)mask));
#endif
#if defined(__AVX2__)
    if constexpr (W * sizeof(T) == 32 && sizeof(T) == 8)
        return static_cast<unsigned>(_mm256_movemask_pd((__m256d)mask));
    if constexpr (W * sizeof(T) == 32 && sizeof(T) == 4)
        return static_cast<unsigned>(_mm256_movemask_ps((__m256)mask));
#endif
    unsigned bits = 0;
    for (int l = 0; l < W; ++l) bits |= static_cast<unsigned>(mask[l] & 1) << l;
    return bits;
}

template <class T>
inline constexpr T kHuge =
    sizeof(T) == 4 ? static_cast<T>(__builtin_huge_valf()) : static_cast<T>(__builtin_huge_val());

// Running best and second best of every lane.
template <class T, int W>
struct LaneBest {
    using S = Simd<T, W>;
    typename S::Vec best = S::spread(kHuge<T>);
    typename S::Vec second = S::spread(kHuge<T>);
    typename S::Mask position{};

    inline void offer(typename S::Vec value, typename S::Mask at) {
        const typename S::Mask wins = value < best;
        second = S::smaller(second, S::larger(value, best));
        best = wins ? value : best;
        position = wins ? at : position;
    }

    // Without branches: which lane wins is a coin toss that no predictor learns.
    inline Nearest<T> reduce() const {
        const T least = least_of(best);
        const typename S::Mask none = S::spread_position(0x7fffffff);
        const typename S::Mask candidates = best == S::spread(least) ? position : none;
        const auto at = least_of(candidates);
        const typename S::Vec others = candidates == S::spread_position(at) ? S::spread(kHuge<T>) : best;
        return {static_cast<Index>(at), least, least_of(S::smaller(second, others))};
    }

    template <class V>
    static inline auto least_of(V v) {
        for (int half = W / 2; half > 0; half /= 2)
            for (int l = 0; l < half; ++l) v[l] = v[l] < v[l + half] ? v[l] : v[l + half];
        return v[0];
    }
};

// Squared distances of x to the W centres from column c on; D > 0 fixes the number of dimensions at compile
// time.
template <class T, int W, int D>
inline typename Simd<T, W>::Vec squared(const T* x, Index n_dims, const T* centres, Index stride, Index c) {
    using S = Simd<T, W>;
    const Index dims = D > 0 ? D : n_dims;
    typename S::Vec sum{};
    for (Index j = 0; j < dims; ++j) {
        const typename S::Vec t = S::spread(x[j]) - S::load(centres + j * stride + c);
        sum += t * t;
    }
    return sum;
}

template <class T, int W, int D>
Nearest<T> nearest_fixed(const T* x, Index n_dims, const T* centres, Index stride) {
    using S = Simd<T, W>;
    LaneBest<T, W> lanes;
    typename S::Mask at = S::first_positions();
    for (Index c = 0; c < stride; c += W, at += W)
        lanes.offer(squared<T, W, D>(x, n_dims, centres, stride, c), at);
    return lanes.reduce();
}

// Calls fn with the number of dimensions as a constant when it is small, 0 otherwise.
template <int D>
struct Dims {
    static constexpr int value = D;
};

template <class Fn>
inline auto fixed_dims(Index n_dims, Fn&& fn) {
    switch (n_dims) {
        case 1:
            return fn(Dims<1>{});
        case 2:
            return fn(Dims<2>{});
        case 3:
            return fn(Dims<3>{});
        case 4:
            return fn(Dims<4>{});
        case 5:
            return fn(Dims<5>{});
        default:
            return fn(Dims<0>{});
    }
}

template <class T, int W>
Nearest<T> nearest(const T* x, Index n_dims, const T* centres, Index stride) {
    return fixed_dims(n_dims, [&](auto dims) {
        return nearest_fixed<T, W, decltype(dims)::value>(x, n_dims, centres, stride);
    });
}

template <class T, int W>
void distances(const T* x, Index n_dims, const T* centres, Index stride, T* out) {
    for (Index c = 0; c < stride; c += W)
        Simd<T, W>::store(out + c, n_dims == 2 ? squared<T, W, 2>(x, n_dims, centres, stride, c)
                                               : squared<T, W, 0>(x, n_dims, centres, stride, c));
}

template <class T, int W>
Nearest<T> insertion(const T* x, Index n_dims, const T* centres, Index stride, const T* weight, T w,
                     Index skip) {
    using S = Simd<T, W>;
    LaneBest<T, W> lanes;
    typename S::Mask at = S::first_positions();
    const typename S::Vec own = S::spread(w);
    const typename S::Mask left_out = S::spread_position(skip);
    for (Index c = 0; c < stride; c += W, at += W) {
        const typename S::Vec mass = S::load(weight + c);
        typename S::Vec value = mass / (mass + own) * squared<T, W, 0>(x, n_dims, centres, stride, c);
        value = at == left_out ? S::spread(kHuge<T>) : value;
        lanes.offer(value, at);
    }
    return lanes.reduce();
}

template <class T, int W>
T between(const T* a, const T* b, Index n_dims) {
    T lane[kLanes] = {};
    Index j = 0;
    for (; j + kLanes <= n_dims; j += kLanes)
        for (Index l = 0; l < kLanes; ++l) {
            const T t = a[j + l] - b[j + l];
            lane[l] += t * t;
        }
    for (Index l = 0; j < n_dims; ++j, ++l) {
        const T t = a[j] - b[j];
        lane[l] += t * t;
    }
    for (Index half = kLanes / 2; half > 0; half /= 2)
        for (Index l = 0; l < half; ++l) lane[l] += lane[l + half];
    return lane[0];
}

template <class T, int W>
double potential(const T* x, Index n_dims, const T* points, Index stride, Index n_points, const double* w,
                 const T* closest, T* out) {
    using S = Simd<T, W>;
    for (Index i = 0; i < n_points; i += W)
        S::store(out + i, S::smaller(S::load(closest + i), squared<T, W, 0>(x, n_dims, points, stride, i)));
    double lane[kLanes] = {};
    for (Index i = 0; i < n_points; i += kLanes)
        for (Index l = 0; l < kLanes; ++l) lane[l] += w[i + l] * static_cast<double>(out[i + l]);
    double sum = 0;
    for (Index l = 0; l < kLanes; ++l) sum += lane[l];
    return sum;
}
