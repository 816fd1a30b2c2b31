#pragma once

namespace intarsia {

enum class SimdLevel { kGeneric, kAvx2, kAvx512 };

/// The widest instruction set that both this build and this CPU have; INTARSIA_SIMD=generic|avx2 lowers it.
SimdLevel simd_level();

const char* simd_name(SimdLevel level);

}  // namespace intarsia
