#include <pybind11/stl.h>

#include "intarsia/rng.hpp"
#include "registers.hpp"

namespace intarsia::python {

void register_rng(pybind11::module_& m) {
    m.def("philox4x64", &philox4x64, pybind11::arg("counter"), pybind11::arg("key"),
          "One block of Philox 4x64-10: four 64-bit words for a counter and a key.");
}

}  // namespace intarsia::python
