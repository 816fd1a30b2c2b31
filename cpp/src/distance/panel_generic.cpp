// Compiled for one instruction set (see CMakeLists.txt); on other processors it is the generic code again.
#include "panel_tables.hpp"

namespace intarsia {

namespace {

#include "panel_kernels.inl"

}  // namespace

const PanelKernels kPanelGeneric = make_panel_kernels<2>();

}  // namespace intarsia
