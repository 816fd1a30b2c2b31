#include "intarsia/distance/panel_kernels.hpp"

#include "intarsia/common/simd.hpp"
#include "panel_tables.hpp"

namespace intarsia {

const PanelKernels& panel_kernels() {
    switch (simd_level()) {
        case SimdLevel::kAvx512:
            return kPanelAvx512;
        case SimdLevel::kAvx2:
            return kPanelAvx2;
        case SimdLevel::kGeneric:
            break;
    }
    return kPanelGeneric;
}

}  // namespace intarsia
