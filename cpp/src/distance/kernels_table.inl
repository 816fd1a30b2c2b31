// Fills the table of one instruction set: W64 / W32 lanes of float64 / float32.

template <class T, int W>
constexpr Kernels<T> make_kernels() {
    return {nearest<T, W>,
            distances<T, W>,
            insertion<T, W>,
            between<T, W>,
            potential<T, W>,
            screen<T, W>,
            ScreenTile<T, W>::kTile,
            few<W * sizeof(T) / sizeof(float)>,
            out_of_slack<W * sizeof(T) / sizeof(float)>,
            add_rows<T>,
            drift<T, W>,
            tighten<T, W>,
            search<T, W>,
            {{boxes<SumOfSquares, T, W>, leaf<SumOfSquares, T, W>},
             {boxes<SumOfSizes, T, W>, leaf<SumOfSizes, T, W>},
             {boxes<LargestSize, T, W>, leaf<LargestSize, T, W>}},
            closer<T, W>,
            sieve<T, W>};
}
