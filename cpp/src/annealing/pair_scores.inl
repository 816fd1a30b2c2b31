// Scores of all candidate labels of one point, generic in the vector width W. Included once for each
// instruction set, inside an unnamed namespace: no inline function of the standard library may be used here,
// or the linker could share AVX code with old CPUs.

template <int W>
struct Lanes {
    typedef double Vec __attribute__((vector_size(W * sizeof(double)), may_alias));
    typedef double UnalignedVec
        __attribute__((vector_size(W * sizeof(double)), aligned(sizeof(double)), may_alias));
    typedef long Ints __attribute__((vector_size(W * sizeof(long)), may_alias));
    typedef long Unaligned __attribute__((vector_size(W * sizeof(long)), aligned(sizeof(long)), may_alias));

    static inline Ints load(const Count* p) { return *reinterpret_cast<const Unaligned*>(p); }
    static inline void store(double* p, Vec v) { *reinterpret_cast<UnalignedVec*>(p) = v; }
    static inline Vec spread(double v) { return v - Vec{}; }
    // Exact for |v| < 2^51, and one addition where AVX2 has no conversion of 64-bit integers.
    static inline Vec to_double(Ints v) {
        constexpr double kMagic = 0x1.8p52;
        const Ints shifted = v + (Ints)spread(kMagic);
        return (Vec)shifted - spread(kMagic);
    }
    template <class V>
    static inline V root(V v) {
        for (int l = 0; l < W; ++l) v[l] = __builtin_sqrt(v[l]);
        return v;
    }
};

// A measure of pairs is two functions: what depends on h1 alone (once a point when no label is missing), and
// the value from h0 and that.
template <int W>
struct CorrectedRand {
    using L = Lanes<W>;
    using Vec = typename L::Vec;
    static inline Vec prepare(Vec h1) { return h1; }
    static inline Vec value(Vec h0, Vec h1, const MemberTerm& m) {
        const Vec above_chance = h0 - h1 * m.share;
        const Vec room = h1 * m.half_less_share + m.half_member;
        return room == 0.0 ? L::spread(1.0) : above_chance / room;
    }
};

template <int W>
struct Jaccard {
    using L = Lanes<W>;
    using Vec = typename L::Vec;
    static inline Vec prepare(Vec h1) { return h1; }
    static inline Vec value(Vec h0, Vec h1, const MemberTerm& m) {
        const Vec either = h1 + m.member - h0;
        return either == 0.0 ? L::spread(1.0) : h0 / either;
    }
};

template <int W>
struct Wallace {
    using L = Lanes<W>;
    using Vec = typename L::Vec;
    static inline Vec prepare(Vec h1) { return h1 == 0.0 ? L::spread(0.0) : 1.0 / L::root(h1); }
    static inline Vec value(Vec h0, Vec inverse_root, const MemberTerm& m) {
        const Vec both_singletons = L::spread(m.member == 0.0 ? 1.0 : 0.0);
        return inverse_root == 0.0 ? both_singletons : h0 * inverse_root * m.inverse_root;
    }
};

// h + w (n_to - n_from + w) for W targets: pairs after the move, from counts before it.
template <int W>
inline typename Lanes<W>::Vec moved(double h, const Count* n, Index c, const PairQuery& query) {
    using L = Lanes<W>;
    const Count base = query.weight - n[query.own];
    return h + static_cast<double>(query.weight) * L::to_double(L::load(n + c) + base);
}

// B blocks of W labels at once: what depends on the member alone is fetched once for all of them.
template <template <int> class Measured, int W, bool Complete, int B>
inline void score_blocks(const PairQuery& query, Index c, double* out) {
    using L = Lanes<W>;
    using Vec = typename L::Vec;
    using M = Measured<W>;
    Vec sums[B] = {}, shared[B] = {};
    if constexpr (Complete)
        for (int b = 0; b < B; ++b)
            shared[b] = M::prepare(moved<W>(query.terms->partition, query.sizes, c + b * W, query));
    for (Index q = 0; q < query.n_members; ++q) {
        const MemberTerm& term = query.terms[q];
        const Index row = query.rows[q];
        const bool seen = Complete || row >= 0;  // a member that does not label the point agrees as before
        const Count* counts = query.counts + row * query.stride;
        const Count* sizes = query.sizes + q * query.member_stride;
        for (int b = 0; b < B; ++b) {
            if constexpr (!Complete)
                shared[b] = M::prepare(seen ? moved<W>(term.partition, sizes, c + b * W, query)
                                            : L::spread(term.partition));
            const Vec both = seen ? moved<W>(term.both, counts, c + b * W, query) : L::spread(term.both);
            sums[b] += term.weight * M::value(both, shared[b], term);
        }
    }
    for (int b = 0; b < B; ++b) L::store(out + c + b * W, sums[b]);
}

template <template <int> class Measured, int W, bool Complete>
void score(const PairQuery& query, Index first, Index last, double* out) {
    constexpr int kMost = 3;
    Index c = first / W * W;
    for (; last - c > (kMost - 1) * W; c += kMost * W)
        score_blocks<Measured, W, Complete, kMost>(query, c, out);
    if (last - c > W)
        score_blocks<Measured, W, Complete, 2>(query, c, out);
    else if (last - c > 0)
        score_blocks<Measured, W, Complete, 1>(query, c, out);
}

template <template <int> class Measured, int W>
double value(const MemberTerm* terms, Index n_members) {
    using L = Lanes<W>;
    typename L::Vec sum{};
    for (Index q = 0; q < n_members; ++q) {
        const auto prepared = Measured<W>::prepare(L::spread(terms[q].partition));
        sum += terms[q].weight * Measured<W>::value(L::spread(terms[q].both), prepared, terms[q]);
    }
    return sum[0];
}

template <template <int> class Measured, int W>
constexpr PairScoresPair measured() {
    return {{score<Measured, W, false>, value<Measured, W>}, {score<Measured, W, true>, value<Measured, W>}};
}

// In the order of Measure.
template <int W>
constexpr PairScoresTable make_pair_scores() {
    return {{measured<CorrectedRand, W>(), measured<Jaccard, W>(), measured<Wallace, W>()}};
}
