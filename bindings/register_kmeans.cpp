#include <string>

#include "arrays.hpp"
#include "intarsia/kmeans/kmeans.hpp"
#include "intarsia/kmeans/seeding.hpp"
#include "intarsia/kmeans/start_swaps.hpp"
#include "registers.hpp"

namespace intarsia::python {

namespace {

py::tuple pack(KMeansResult&& r, Index d) {
    const auto k = static_cast<py::ssize_t>(r.centres.size()) / d;
    return py::make_tuple(to_numpy(std::move(r.labels)), to_numpy(std::move(r.centres), {k, d}), r.inertia,
                          r.n_iter, r.converged);
}

template <class T>
py::tuple kmeans_py(const Array<T>& x, const Weights& weights, const Array<double>& start, Index max_iter,
                    double tol, int n_threads, double seconds) {
    const auto points = weighted(x, weights);
    const auto centres = matrix(start);
    return pack(without_gil([&] { return kmeans(points, centres, {max_iter, tol, n_threads, seconds}); }),
                points.n_dims());
}

template <class T>
py::tuple assign_py(const Array<T>& x, const Weights& weights, const Array<double>& centres, int n_threads) {
    const auto points = weighted(x, weights);
    const auto c = matrix(centres);
    return pack(without_gil([&] { return assign_to_centres(points, c, n_threads); }), points.n_dims());
}

template <class T>
py::array_t<Index> seed_py(const Array<T>& x, const Weights& weights, Index k, const std::string& init,
                           std::uint64_t seed, std::uint64_t task, int n_threads, double seconds,
                           Index n_swaps) {
    const auto points = weighted(x, weights);
    return to_numpy(without_gil([&] {
        const Deadline deadline(seconds);
        Rng rng(seed, Stage::kSeeding, task);
        if (init == "random") return random_points(points, k, rng);
        auto starts = kmeans_plus_plus(points, k, rng, n_threads, seconds);
        if (n_swaps > 0 && !deadline.is_over())
            swap_starts(points, starts, n_swaps, rng, n_threads, seconds - deadline.seconds());
        return starts;
    }));
}

template <class T>
void register_precision(py::module_& m) {
    m.def("kmeans", &kmeans_py<T>, py::arg("x").noconvert(), py::arg("weights").noconvert(),
          py::arg("start").noconvert(), py::arg("max_iter"), py::arg("tol"), py::arg("n_threads"),
          py::arg("seconds") = kNoLimit, "Lloyd's algorithm: (labels, centres, inertia, n_iter, converged).");
    m.def("assign_to_centres", &assign_py<T>, py::arg("x").noconvert(), py::arg("weights").noconvert(),
          py::arg("centres").noconvert(), py::arg("n_threads"),
          "Nearest centres: (labels, centres, inertia, 0, False).");
    m.def("seed_points", &seed_py<T>, py::arg("x").noconvert(), py::arg("weights").noconvert(), py::arg("k"),
          py::arg("init"), py::arg("seed"), py::arg("task"), py::arg("n_threads"),
          py::arg("seconds") = kNoLimit, py::arg("n_swaps") = 0,
          "Indices of k starting points; init is 'random' or 'k-means++', the latter with swaps if asked.");
}

}  // namespace

void register_kmeans(py::module_& m) {
    register_precision<double>(m);
    register_precision<float>(m);
}

}  // namespace intarsia::python
