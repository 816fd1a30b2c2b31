#include "arrays.hpp"
#include "intarsia/distance/gaussian_density.hpp"
#include "registers.hpp"

namespace intarsia::python {

namespace {

template <class T>
py::array_t<double> gaussian_density_py(const Array<T>& x, const Array<double>& places, double width,
                                        int n_threads) {
    const auto points = matrix(x);
    const auto at = matrix(places);
    return to_numpy(without_gil([&] { return gaussian_density(points, at, width, n_threads); }));
}

template <class T>
void register_precision(py::module_& m) {
    m.def("gaussian_density", &gaussian_density_py<T>, py::arg("x").noconvert(),
          py::arg("places").noconvert(), py::arg("width"), py::arg("n_threads"),
          "Gaussian kernel density of the points at each place.");
}

}  // namespace

void register_distance(py::module_& m) {
    register_precision<double>(m);
    register_precision<float>(m);
}

}  // namespace intarsia::python
