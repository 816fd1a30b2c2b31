#pragma once

#include <pybind11/pybind11.h>

namespace intarsia::python {

void register_agreement(pybind11::module_& m);
void register_build(pybind11::module_& m);
void register_errors(pybind11::module_& m);
void register_rng(pybind11::module_& m);
void register_kmeans(pybind11::module_& m);
void register_partition(pybind11::module_& m);
void register_pool(pybind11::module_& m);
void register_search(pybind11::module_& m);
void register_cover(pybind11::module_& m);
void register_mixtures(pybind11::module_& m);
void register_labels(pybind11::module_& m);
void register_graphs(pybind11::module_& m);
void register_annealing(pybind11::module_& m);

}  // namespace intarsia::python
