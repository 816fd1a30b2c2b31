// Few centres: lanes are points, so nothing is reduced across a vector. Approximate like the screening
// kernel; a point whose slack is not positive has to be measured.

// best[i], second[i] = the two smallest of half_norm - x.c, labels[i] = where the smallest is.
template <int W>
inline void two_smallest(const float* points, Index stride, Index n_points, const FewCentres& centres,
                         Label* labels, float* best, float* second) {
    using S = Simd<float, W>;
    typedef Label Labels __attribute__((vector_size(W * sizeof(Label)), aligned(sizeof(Label)), may_alias));
    for (Index i = 0; i < n_points; i += 2 * W) {
        LaneBest<float, W> state[2];
        for (Index b = 0; b < centres.n_blocks; ++b) {
            const float* block = centres.blocks + b * centres.n_dims * kFewBlock;
            typename S::Vec sum[kFewBlock][2] = {};
            for (Index j = 0; j < centres.n_dims; ++j) {
                const typename S::Vec x0 = S::load(points + j * stride + i);
                const typename S::Vec x1 = S::load(points + j * stride + i + W);
#pragma GCC unroll 4
                for (Index q = 0; q < kFewBlock; ++q) {
                    const typename S::Vec c = S::spread(block[j * kFewBlock + q]);
                    sum[q][0] = S::multiply_add(x0, c, sum[q][0]);
                    sum[q][1] = S::multiply_add(x1, c, sum[q][1]);
                }
            }
#pragma GCC unroll 4
            for (Index q = 0; q < kFewBlock; ++q) {
                const typename S::Mask at = S::spread_position(b * kFewBlock + q);
                const typename S::Vec half = S::spread(centres.half_norms[b * kFewBlock + q]);
                state[0].offer(half - sum[q][0], at);
                state[1].offer(half - sum[q][1], at);
            }
        }
        for (Index v = 0; v < 2; ++v) {
            S::store(best + i + v * W, state[v].best);
            S::store(second + i + v * W, state[v].second);
            *reinterpret_cast<Labels*>(labels + i + v * W) = (Labels)state[v].position;
        }
    }
}

template <int W>
void few(const float* points, Index stride, Index n_points, const float* norms, const FewCentres& centres,
         Label* labels, float* slack) {
    constexpr float kTiny = 1e-37F;  // products of small numbers lose digits to underflow
    float best[kFewPoints], second[kFewPoints];
    two_smallest<W>(points, stride, n_points, centres, labels, best, second);
    for (Index i = 0; i < n_points; ++i) {
        const float reach = norms[i] + centres.reach;
        const float error = 2 * (reach * reach * centres.error + kTiny);
        const float low = 2 * second[i] + norms[i] * norms[i] - error;
        const float high = 2 * best[i] + norms[i] * norms[i] + error;
        slack[i] =
            __builtin_sqrtf(low < 0 ? 0 : low) - __builtin_sqrtf(high) - (reach * centres.error + kTiny);
    }
}

// A table of floats looked up in every lane: in registers where it has at most kFewTable of them.
template <int W, bool kIsShort>
struct Lookup {
    using Vec = typename Simd<float, W>::Vec;

    const float* table;

    inline Vec at(const Label* places) const {
#if defined(__AVX512F__)
        if constexpr (W == 16) {
            // masked, every lane: GCC takes what the plain forms leave undefined for a mistake
            const __m512i all = _mm512_loadu_si512(places);
            if constexpr (kIsShort)
                return (Vec)_mm512_maskz_permutexvar_ps(0xffff, all, _mm512_loadu_ps(table));
            return (Vec)_mm512_mask_i32gather_ps(_mm512_setzero_ps(), 0xffff, all, table, 4);
        }
#endif
#if defined(__AVX2__)
        if constexpr (W == 8) {
            const __m256i all = _mm256_loadu_si256((const __m256i_u*)places);
            if constexpr (!kIsShort) return (Vec)_mm256_i32gather_ps(table, all, 4);
            const __m256 low = _mm256_permutevar8x32_ps(_mm256_loadu_ps(table), all);
            const __m256 high = _mm256_permutevar8x32_ps(_mm256_loadu_ps(table + 8), all);
            return (Vec)_mm256_blendv_ps(low, high, (__m256)_mm256_slli_epi32(all, 28));  // by the bit of 8
        }
#endif
        Vec found{};
        for (int l = 0; l < W; ++l) found[l] = table[places[l]];
        return found;
    }
};

template <int W, bool kIsShort>
inline Index list_out_of_slack(const float* until, const Label* labels, Index n_points, const float* lost,
                               Point* out) {
    using S = Simd<float, W>;
    const Lookup<W, kIsShort> lost_by{lost};
    Index n = 0, i = 0;
    for (; i + W <= n_points; i += W) {
        unsigned bits = lane_bits<float, W>(~(S::load(until + i) > lost_by.at(labels + i)));
        for (; bits != 0; bits &= bits - 1) out[n++] = static_cast<Point>(i + __builtin_ctz(bits));
    }
    for (; i < n_points; ++i)
        if (!(until[i] > lost[labels[i]])) out[n++] = static_cast<Point>(i);
    return n;
}

template <int W>
Index out_of_slack(const float* until, const Label* labels, Index n_points, const float* lost, Index n_lost,
                   Point* out) {
    return n_lost <= kFewTable ? list_out_of_slack<W, true>(until, labels, n_points, lost, out)
                               : list_out_of_slack<W, false>(until, labels, n_points, lost, out);
}

// N neighbouring dimensions: their sums stay in registers.
template <class T, int N>
inline void add_dims(const T* x, Index n_dims, const Point* rows, Index n_rows, const double* w,
                     double* sums) {
    double sum[N];
    for (int l = 0; l < N; ++l) sum[l] = sums[l];
    for (Index q = 0; q < n_rows; ++q) {
        const double weight = w ? w[rows[q]] : 1.0;
        const T* row = x + rows[q] * n_dims;
        for (int l = 0; l < N; ++l) sum[l] += weight * static_cast<double>(row[l]);
    }
    for (int l = 0; l < N; ++l) sums[l] = sum[l];
}

template <class T>
void add_rows(const T* x, Index n_dims, const Point* rows, Index n_rows, const double* w, double* sums) {
    Index j = 0;
    for (; j + 8 <= n_dims; j += 8) add_dims<T, 8>(x + j, n_dims, rows, n_rows, w, sums + j);
    for (; j + 2 <= n_dims; j += 2) add_dims<T, 2>(x + j, n_dims, rows, n_rows, w, sums + j);
    for (; j < n_dims; ++j) add_dims<T, 1>(x + j, n_dims, rows, n_rows, w, sums + j);
    for (Index q = 0; q < n_rows; ++q) sums[n_dims] += w ? w[rows[q]] : 1.0;
}
