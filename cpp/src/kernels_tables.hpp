#pragma once

#include "intarsia/kernels.hpp"

namespace intarsia {

extern const Kernels<double> kDoubleGeneric, kDoubleAvx2, kDoubleAvx512;
extern const Kernels<float> kFloatGeneric, kFloatAvx2, kFloatAvx512;

}  // namespace intarsia
