#pragma once

#include <pybind11/pybind11.h>

namespace intarsia::python {

void register_common(pybind11::module_& m);
void register_distance(pybind11::module_& m);
void register_neighbours(pybind11::module_& m);
void register_kmeans(pybind11::module_& m);
void register_partition(pybind11::module_& m);
void register_mixture(pybind11::module_& m);
void register_pool(pybind11::module_& m);
void register_criteria(pybind11::module_& m);
void register_pmedian(pybind11::module_& m);
void register_bic(pybind11::module_& m);
void register_cover(pybind11::module_& m);
void register_ensemble(pybind11::module_& m);
void register_consensus(pybind11::module_& m);
void register_annealing(pybind11::module_& m);
void register_boosting(pybind11::module_& m);
void register_selection(pybind11::module_& m);

}  // namespace intarsia::python
