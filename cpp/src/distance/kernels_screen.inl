// Screening kernel: a register-tiled product with the minimum fused in. Its values are approximate (they may
// use fused multiply-add); whoever calls it re-checks close calls with the exact kernel, so results do not
// depend on it.

template <class T, int W>
struct ScreenTile {
    using S = Simd<T, W>;
    static constexpr Index kVectors = 3;
    static constexpr Index kTile = kVectors * W;
    typename S::Vec sum[kGroup][kVectors];

    inline void product(const T* group, const T* panel, Index n_dims) {
        for (Index p = 0; p < kGroup; ++p)
            for (Index v = 0; v < kVectors; ++v) sum[p][v] = typename S::Vec{};
        for (Index j = 0; j < n_dims; ++j) {
            const typename S::Vec c0 = S::load(panel + j * kTile);
            const typename S::Vec c1 = S::load(panel + j * kTile + W);
            const typename S::Vec c2 = S::load(panel + j * kTile + 2 * W);
#pragma GCC unroll 4
            for (Index p = 0; p < kGroup; ++p) {
                const typename S::Vec x = S::spread(group[j * kGroup + p]);
                sum[p][0] = S::multiply_add(x, c0, sum[p][0]);
                sum[p][1] = S::multiply_add(x, c1, sum[p][1]);
                sum[p][2] = S::multiply_add(x, c2, sum[p][2]);
            }
        }
    }
};

template <class T, int W>
void screen(const T* groups, Index n_groups, Index n_dims, const T* panels, Index n_panels,
            const T* half_norms, Nearest<T>* out) {
    using S = Simd<T, W>;
    using Tile = ScreenTile<T, W>;
    constexpr Index kMaxPoints = 64;
    LaneBest<T, W> state[kMaxPoints];
    const Index n_points = n_groups * kGroup;
    for (Index panel = 0; panel < n_panels; ++panel) {
        for (Index g = 0; g < n_groups; ++g) {
            Tile tile;
            tile.product(groups + g * n_dims * kGroup, panels + panel * n_dims * Tile::kTile, n_dims);
            for (Index p = 0; p < kGroup; ++p) {
                typename S::Mask at = S::first_positions() + S::spread_position(panel * Tile::kTile);
                for (Index v = 0; v < Tile::kVectors; ++v, at += W)
                    state[g * kGroup + p].offer(
                        S::load(half_norms + panel * Tile::kTile + v * W) - tile.sum[p][v], at);
            }
        }
    }
    for (Index i = 0; i < n_points; ++i) out[i] = state[i].reduce();
}
