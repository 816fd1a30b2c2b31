#include <string>

#include "registers.hpp"

namespace intarsia::python {

namespace {

std::string compiler() {
#if defined(__clang__)
    return "Clang " __clang_version__;
#else
    return "GCC " __VERSION__;
#endif
}

std::string build_info() {
    std::string info = compiler() + ", OpenMP " + std::to_string(_OPENMP);
#if !defined(__OPTIMIZE__)
    info += ", not optimised";
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    info += ", sanitizer build";
#endif
    return info;
}

}  // namespace

void register_build(pybind11::module_& m) {
    m.def("build_info", &build_info, "Compiler and options of this build, for people to read.");
}

}  // namespace intarsia::python
