#pragma once

#include "intarsia/distance/kernels.hpp"

namespace intarsia {

extern const Kernels<double> kDoubleGeneric, kDoubleAvx2, kDoubleAvx512;
extern const Kernels<float> kFloatGeneric, kFloatAvx2, kFloatAvx512;

}  // namespace intarsia
