#include <string>

#include "arrays.hpp"
#include "intarsia/distinct.hpp"
#include "intarsia/hartigan.hpp"
#include "intarsia/kmeans.hpp"
#include "intarsia/random_swap.hpp"
#include "intarsia/seeding.hpp"
#include "intarsia/simd.hpp"
#include "registers.hpp"

#include <omp.h>

namespace intarsia::python {

namespace {

using Weights = Array<double>;

py::tuple pack(KMeansResult&& r, Index d) {
    const auto k = static_cast<py::ssize_t>(r.centres.size()) / d;
    return py::make_tuple(to_numpy(std::move(r.labels)), to_numpy(std::move(r.centres), {k, d}), r.inertia,
                          r.n_iter, r.converged);
}

template <class T>
py::tuple kmeans_py(const Array<T>& x, const Weights& weights, const Array<double>& start, Index max_iter,
                    double tol, int n_threads) {
    const auto points = matrix(x);
    const auto w = vector(weights);
    const auto centres = matrix(start);
    KMeansResult result;
    {
        py::gil_scoped_release free_gil;  // other threads may run other base runs meanwhile
        result = kmeans(points, w, centres, {max_iter, tol, n_threads});
    }
    return pack(std::move(result), points.n_cols());
}

template <class T>
py::tuple assign_py(const Array<T>& x, const Weights& weights, const Array<double>& centres, int n_threads) {
    const auto points = matrix(x);
    const auto w = vector(weights);
    const auto c = matrix(centres);
    KMeansResult result;
    {
        py::gil_scoped_release free_gil;
        result = assign_to_centres(points, w, c, n_threads);
    }
    return pack(std::move(result), points.n_cols());
}

template <class T>
py::array_t<Index> seed_py(const Array<T>& x, const Weights& weights, Index k, const std::string& init,
                           std::uint64_t seed, std::uint64_t task, int n_threads) {
    const auto points = matrix(x);
    const auto w = vector(weights);
    std::vector<Index> chosen;
    {
        py::gil_scoped_release free_gil;
        Rng rng(seed, Stage::kSeeding, task);
        chosen = init == "random" ? random_points(points, w, k, rng)
                                  : kmeans_plus_plus(points, w, k, rng, n_threads);
    }
    return to_numpy(std::move(chosen));
}

template <class T>
Index count_distinct_py(const Array<T>& x, Index limit) {
    return count_distinct(matrix(x), limit);
}

py::tuple hartigan_py(const Array<double>& x, const Weights& weights, const Array<Label>& labels, Index k,
                      Index min_size, Index max_size) {
    const auto points = matrix(x);
    const auto w = vector(weights);
    const auto start = vector(labels);
    std::vector<Label> improved;
    Index n_moves = 0;
    {
        py::gil_scoped_release free_gil;
        Hartigan partition(points, w, k, {min_size, max_size});
        partition.load(start);
        n_moves = partition.improve();
        improved.assign(partition.labels().begin(), partition.labels().end());
    }
    return py::make_tuple(to_numpy(std::move(improved)), n_moves);
}

py::tuple random_swap_py(const Array<double>& x, const Weights& weights, const Array<Label>& labels, Index k,
                         Index n_swaps, std::uint64_t seed, std::uint64_t task) {
    const auto points = matrix(x);
    const auto w = vector(weights);
    const auto start = vector(labels);
    std::vector<Label> improved;
    SwapCounts counts;
    {
        py::gil_scoped_release free_gil;
        Hartigan partition(points, w, k);
        partition.load(start);
        partition.improve();
        Rng rng(seed, Stage::kRandomSwap, task);
        counts = random_swaps(partition, n_swaps, rng);
        improved.assign(partition.labels().begin(), partition.labels().end());
    }
    return py::make_tuple(to_numpy(std::move(improved)), counts.kept);
}

template <class T>
void register_precision(py::module_& m) {
    m.def("kmeans", &kmeans_py<T>, py::arg("x").noconvert(), py::arg("weights").noconvert(),
          py::arg("start").noconvert(), py::arg("max_iter"), py::arg("tol"), py::arg("n_threads"),
          "Lloyd's algorithm: (labels, centres, inertia, n_iter, converged).");
    m.def("assign_to_centres", &assign_py<T>, py::arg("x").noconvert(), py::arg("weights").noconvert(),
          py::arg("centres").noconvert(), py::arg("n_threads"),
          "Nearest centres: (labels, centres, inertia, 0, False).");
    m.def("seed_points", &seed_py<T>, py::arg("x").noconvert(), py::arg("weights").noconvert(), py::arg("k"),
          py::arg("init"), py::arg("seed"), py::arg("task"), py::arg("n_threads"),
          "Indices of k starting points; init is 'random' or 'k-means++'.");
    m.def("count_distinct", &count_distinct_py<T>, py::arg("x").noconvert(), py::arg("limit"),
          "Number of different rows, counted up to a limit.");
}

}  // namespace

void register_kmeans(py::module_& m) {
    register_precision<double>(m);
    register_precision<float>(m);
    m.def("hartigan", &hartigan_py, py::arg("x").noconvert(), py::arg("weights").noconvert(),
          py::arg("labels").noconvert(), py::arg("k"), py::arg("min_size"), py::arg("max_size"),
          "Single-point moves to a local optimum: (labels, n_moves).");
    m.def("random_swap", &random_swap_py, py::arg("x").noconvert(), py::arg("weights").noconvert(),
          py::arg("labels").noconvert(), py::arg("k"), py::arg("n_swaps"), py::arg("seed"), py::arg("task"),
          "Random swaps from a partition: (labels, n_kept).");
    m.def("simd_level", [] { return std::string(simd_name(simd_level())); }, "avx512, avx2 or generic.");
    m.def("max_threads", [] { return omp_get_num_procs(); }, "Processors this process may use.");
}

}  // namespace intarsia::python
