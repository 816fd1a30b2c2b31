#include "arrays.hpp"
#include "intarsia/agreement.hpp"
#include "intarsia/pair_histogram.hpp"
#include "registers.hpp"

namespace intarsia::python {

namespace {

py::tuple contingency_py(const Array<Label>& a, const Array<Label>& b, const Array<double>& weights,
                         Index n_a, Index n_b, int n_threads) {
    const auto labels_a = vector(a);
    const auto labels_b = vector(b);
    const auto w = vector(weights);
    Contingency table;
    {
        py::gil_scoped_release free_gil;
        table = contingency(labels_a, labels_b, w, n_a, n_b, n_threads);
    }
    return py::make_tuple(to_numpy(std::move(table.rows)), to_numpy(std::move(table.cols)),
                          to_numpy(std::move(table.counts)));
}

double expected_mutual_information_py(const Array<Index>& sizes_a, const Array<Index>& sizes_b) {
    const auto a = vector(sizes_a);
    const auto b = vector(sizes_b);
    py::gil_scoped_release free_gil;
    return expected_mutual_information(a, b);
}

py::array_t<double> pairs_up_to_py(const Array<Label>& labels, const Array<double>& member_weights,
                                   const Array<double>& point_weights, const Array<double>& thresholds,
                                   int n_threads) {
    const WeightedRows rows{matrix(labels), vector(member_weights), vector(point_weights)};
    const auto limits = vector(thresholds);
    std::vector<double> counts;
    {
        py::gil_scoped_release free_gil;
        counts = pairs_up_to(rows, limits, n_threads);
    }
    return to_numpy(std::move(counts));
}

py::array_t<double> sampled_pairs_up_to_py(const Array<Label>& labels, const Array<double>& member_weights,
                                           const Array<double>& point_weights, const Array<Index>& first,
                                           const Array<Index>& second, const Array<double>& thresholds) {
    const WeightedRows rows{matrix(labels), vector(member_weights), vector(point_weights)};
    const auto i = vector(first);
    const auto j = vector(second);
    const auto limits = vector(thresholds);
    std::vector<double> counts;
    {
        py::gil_scoped_release free_gil;
        counts = sampled_pairs_up_to(rows, i, j, limits);
    }
    return to_numpy(std::move(counts));
}

}  // namespace

void register_agreement(py::module_& m) {
    m.def("contingency", &contingency_py, py::arg("a").noconvert(), py::arg("b").noconvert(),
          py::arg("weights").noconvert(), py::arg("n_a"), py::arg("n_b"), py::arg("n_threads"),
          "Rows, columns and counts of the contingency table's cells that are not zero.");
    m.def("expected_mutual_information", &expected_mutual_information_py, py::arg("sizes_a").noconvert(),
          py::arg("sizes_b").noconvert(), "Mean mutual information of random partitions of these sizes.");
    m.def("pairs_up_to", &pairs_up_to_py, py::arg("labels").noconvert(),
          py::arg("member_weights").noconvert(), py::arg("point_weights").noconvert(),
          py::arg("thresholds").noconvert(), py::arg("n_threads"),
          "Number of point pairs with a co-association of at most each threshold.");
    m.def("sampled_pairs_up_to", &sampled_pairs_up_to_py, py::arg("labels").noconvert(),
          py::arg("member_weights").noconvert(), py::arg("point_weights").noconvert(),
          py::arg("first").noconvert(), py::arg("second").noconvert(), py::arg("thresholds").noconvert(),
          "The same for the given pairs of rows.");
}

}  // namespace intarsia::python
