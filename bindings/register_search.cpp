#include <pybind11/stl.h>

#include "arrays.hpp"
#include "intarsia/size_flow.hpp"
#include "intarsia/swap_search.hpp"
#include "points.hpp"
#include "registers.hpp"

namespace intarsia::python {

namespace {

py::tuple swap_search_py(const Array<double>& x, const Weights& weights, const Array<Label>& labels, Index k,
                         std::uint64_t seed, std::uint64_t task, std::uint64_t substream,
                         const SwapSearchOptions& options) {
    const WeightedPoints points = weighted(x, weights);
    check_points(points, points.x.n_rows());
    const auto start = vector(labels);
    SwapSearchResult result{{}, {}, ColumnPool(points.x.n_rows())};
    {
        py::gil_scoped_release free_gil;  // islands search side by side
        Rng rng(seed, Stage::kSearch, task, substream);
        result = swap_search(points, start, k, options, rng);
    }
    return py::make_tuple(to_numpy(std::move(result.labels)), result.counts.tried, result.counts.kept,
                          py::cast(std::move(result.columns)));
}

SwapSearchOptions make_options(Index n_swaps, double keep_within, double seconds, Index min_size,
                               Index max_size, Index n_flow_swaps) {
    return {n_swaps, keep_within, seconds, {min_size, max_size}, n_flow_swaps};
}

py::array_t<Label> kmeans_within_sizes_py(const Array<double>& x, const Weights& weights,
                                          const Array<double>& centres, Index min_size, Index max_size,
                                          Index max_flows, const py::function& is_late) {
    const WeightedPoints points = weighted(x, weights);
    check_points(points, points.x.n_rows());
    std::vector<double> start(centres.data(), centres.data() + centres.size());
    const Index k = centres.shape(0);
    std::vector<Label> labels;
    const auto ask = [&] {
        py::gil_scoped_acquire gil;  // Ctrl-C is heard there, too
        return is_late().cast<bool>();
    };
    {
        py::gil_scoped_release free_gil;
        labels = kmeans_within_sizes(points, std::move(start), k, {min_size, max_size}, max_flows, ask);
    }
    return to_numpy(std::move(labels));
}

}  // namespace

void register_search(py::module_& m) {
    py::class_<SwapSearchOptions>(m, "SwapSearchOptions", "How long to swap, and what to collect.")
        .def(py::init(&make_options), py::arg("n_swaps"), py::arg("keep_within"), py::arg("seconds"),
             py::arg("min_size"), py::arg("max_size"), py::arg("n_flow_swaps") = 0);
    m.def("kmeans_within_sizes", &kmeans_within_sizes_py, py::arg("x").noconvert(), py::arg("weights"),
          py::arg("centres").noconvert(), py::arg("min_size"), py::arg("max_size"), py::arg("max_flows"),
          py::arg("seconds"), "k-means whose clusters keep size bounds, from given centres: labels.");
    m.def("swap_search", &swap_search_py, py::arg("x").noconvert(), py::arg("weights"),
          py::arg("labels").noconvert(), py::arg("k"), py::arg("seed"), py::arg("task"), py::arg("substream"),
          py::arg("options"),
          "Random swaps from a partition: (labels, n_tried, n_kept, columns of good trials).");
}

}  // namespace intarsia::python
