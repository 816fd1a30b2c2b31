#include "intarsia/distance/kernels.hpp"

#include "intarsia/common/simd.hpp"
#include "kernels_tables.hpp"

namespace intarsia {

namespace {

template <class T>
const Kernels<T>& pick(const Kernels<T>& generic, const Kernels<T>& avx2, const Kernels<T>& avx512) {
    switch (simd_level()) {
        case SimdLevel::kAvx512:
            return avx512;
        case SimdLevel::kAvx2:
            return avx2;
        case SimdLevel::kGeneric:
            break;
    }
    return generic;
}

}  // namespace

template <>
const Kernels<double>& kernels<double>() {
    return pick(kDoubleGeneric, kDoubleAvx2, kDoubleAvx512);
}

template <>
const Kernels<float>& kernels<float>() {
    return pick(kFloatGeneric, kFloatAvx2, kFloatAvx512);
}

}  // namespace intarsia
