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
