#include "arrays.hpp"
#include "intarsia/partition.hpp"
#include "registers.hpp"

namespace intarsia::python {

namespace {

py::tuple summarise_py(const Array<double>& x, const Array<double>& weights, const Array<Label>& labels,
                       Index k) {
    const auto points = matrix(x);
    const auto w = vector(weights);
    const auto l = vector(labels);
    PartitionSummary s;
    {
        py::gil_scoped_release free_gil;
        s = summarise(points, w, l, k);
    }
    return py::make_tuple(to_numpy(std::move(s.centres), {k, points.n_cols()}), to_numpy(std::move(s.costs)),
                          s.total);
}

}  // namespace

void register_partition(py::module_& m) {
    m.def("summarise", &summarise_py, py::arg("x").noconvert(), py::arg("weights").noconvert(),
          py::arg("labels").noconvert(), py::arg("k"),
          "Centres, cluster costs and total cost of a partition.");
}

}  // namespace intarsia::python
