#pragma once

#include "intarsia/distance/panel_kernels.hpp"

namespace intarsia {

extern const PanelKernels kPanelGeneric, kPanelAvx2, kPanelAvx512;

}  // namespace intarsia
