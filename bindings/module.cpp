#include "registers.hpp"

PYBIND11_MODULE(_core, m) {
    m.doc() = "Compiled kernels of intarsia. Use the package's public names instead.";
    intarsia::python::register_agreement(m);
    intarsia::python::register_build(m);
    intarsia::python::register_errors(m);
    intarsia::python::register_rng(m);
    intarsia::python::register_kmeans(m);
    intarsia::python::register_partition(m);
    intarsia::python::register_pool(m);
    intarsia::python::register_search(m);
    intarsia::python::register_cover(m);
    intarsia::python::register_mixtures(m);
    intarsia::python::register_labels(m);
    intarsia::python::register_graphs(m);
    intarsia::python::register_annealing(m);
}
