// Compiled for one instruction set (see CMakeLists.txt); on other processors it is the generic code again.
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "intarsia/distance/kernels.hpp"
#include "kernels_tables.hpp"

namespace intarsia {

namespace {

#include "kernels_direct.inl"
#include "kernels_few.inl"
#include "kernels_groups.inl"
#include "kernels_screen.inl"
#include "kernels_sieve.inl"
#include "kernels_table.inl"

}  // namespace

const Kernels<double> kDoubleAvx512 = make_kernels<double, 8>();
const Kernels<float> kFloatAvx512 = make_kernels<float, 16>();

}  // namespace intarsia
