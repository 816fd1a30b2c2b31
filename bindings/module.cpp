#include "intarsia/common/error.hpp"
#include "registers.hpp"

namespace {

void raise_invalid_input_as_value_error() {
    pybind11::register_exception_translator([](std::exception_ptr p) {
        try {
            if (p) std::rethrow_exception(p);
        } catch (const intarsia::InvalidInput& e) {
            PyErr_SetString(PyExc_ValueError, e.what());
        }
    });
}

}  // namespace

PYBIND11_MODULE(_core, m) {
    m.doc() = "Compiled kernels of intarsia. Use the package's public names instead.";
    raise_invalid_input_as_value_error();
    intarsia::python::register_common(m);
    intarsia::python::register_distance(m);
    intarsia::python::register_neighbours(m);
    intarsia::python::register_kmeans(m);
    intarsia::python::register_partition(m);
    intarsia::python::register_mixture(m);
    intarsia::python::register_pool(m);
    intarsia::python::register_criteria(m);
    intarsia::python::register_pmedian(m);
    intarsia::python::register_bic(m);
    intarsia::python::register_cover(m);
    intarsia::python::register_ensemble(m);
    intarsia::python::register_consensus(m);
    intarsia::python::register_annealing(m);
    intarsia::python::register_boosting(m);
    intarsia::python::register_selection(m);
}
