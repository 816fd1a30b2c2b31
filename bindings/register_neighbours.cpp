#include <cmath>

#include "arrays.hpp"
#include "intarsia/neighbours/neighbours.hpp"
#include "intarsia/neighbours/spanning_tree.hpp"
#include "registers.hpp"

namespace intarsia::python {

namespace {

std::unique_ptr<NeighbourIndex> index_of(const Array<double>& x, int n_threads, TreeMetric metric) {
    const auto points = matrix(x);
    return without_gil([&] { return std::make_unique<NeighbourIndex>(points, n_threads, metric); });
}

py::tuple nearest_py(const NeighbourIndex& index, const Array<double>& queries, Index k, Index first_own,
                     int n_threads) {
    const auto at = matrix(queries);
    auto found = without_gil([&] { return index.nearest(at, k, first_own, n_threads); });
    return py::make_tuple(to_numpy(std::move(found.ids), {at.n_rows(), k}),
                          to_numpy(std::move(found.distances), {at.n_rows(), k}));
}

py::tuple within_py(const NeighbourIndex& index, const Array<double>& queries, double radius, Index first_own,
                    int n_threads) {
    const auto at = matrix(queries);
    auto found = without_gil([&] { return index.within(at, radius, first_own, n_threads); });
    return py::make_tuple(to_numpy(std::move(found.offsets)), to_numpy(std::move(found.ids)),
                          to_numpy(std::move(found.distances)));
}

py::tuple spanning_tree_py(const Array<double>& x, int n_threads) {
    const auto points = matrix(x);
    std::vector<Point> ends;
    std::vector<double> lengths;
    without_gil([&] {
        for (const TreeEdge& edge : euclidean_spanning_tree(points, n_threads)) {
            ends.insert(ends.end(), {edge.low, edge.high});
            lengths.push_back(std::sqrt(edge.squared));
        }
    });
    const auto n_edges = static_cast<py::ssize_t>(lengths.size());
    return py::make_tuple(to_numpy(std::move(ends), {n_edges, 2}), to_numpy(std::move(lengths)));
}

py::array_t<Label> cut_tree_py(const Array<Point>& ends, Index k) {
    const auto pairs = matrix(ends);
    if (pairs.n_cols() != 2) throw InvalidInput("edges should have two ends.");
    const std::span<const Point> flat{pairs.data(), static_cast<std::size_t>(2 * pairs.n_rows())};
    return to_numpy(without_gil([&] { return cut_tree(flat, pairs.n_rows() + 1, k); }));
}

}  // namespace

void register_neighbours(py::module_& m) {
    py::enum_<TreeMetric>(m, "TreeMetric", "How far two points are.")
        .value("EUCLIDEAN", TreeMetric::kSquaredEuclidean)
        .value("MANHATTAN", TreeMetric::kManhattan)
        .value("CHEBYSHEV", TreeMetric::kChebyshev);
    py::class_<NeighbourIndex>(m, "NeighbourIndex", "Exact neighbours among fixed points, which it looks at.")
        // the index holds a view of the points
        .def(py::init(&index_of), py::arg("x").noconvert(), py::arg("n_threads"),
             py::arg("metric") = TreeMetric::kSquaredEuclidean, py::keep_alive<1, 2>())
        .def("nearest", &nearest_py, py::arg("queries").noconvert(), py::arg("k"), py::arg("first_own"),
             py::arg("n_threads"), "k nearest: (numbers, distances), one row a query.")
        .def("within", &within_py, py::arg("queries").noconvert(), py::arg("radius"), py::arg("first_own"),
             py::arg("n_threads"), "All within a radius: (offsets, numbers, distances), numbers ascending.");
    m.def("euclidean_spanning_tree", &spanning_tree_py, py::arg("x").noconvert(), py::arg("n_threads"),
          "Minimum spanning tree: (pairs of points, lengths), shortest first.");
    m.def("cut_tree", &cut_tree_py, py::arg("ends").noconvert(), py::arg("k"),
          "Labels of the k clusters left when the first edges have merged their ends.");
}

}  // namespace intarsia::python
