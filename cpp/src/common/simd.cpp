#include "intarsia/common/simd.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace intarsia {

namespace {

SimdLevel cpu_level() {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
        return SimdLevel::kAvx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return SimdLevel::kAvx2;
#endif
    return SimdLevel::kGeneric;
}

SimdLevel allowed_level() {
    const char* wish = std::getenv("INTARSIA_SIMD");
    if (wish == nullptr) return SimdLevel::kAvx512;
    if (std::string_view(wish) == "generic") return SimdLevel::kGeneric;
    return std::string_view(wish) == "avx2" ? SimdLevel::kAvx2 : SimdLevel::kAvx512;
}

}  // namespace

SimdLevel simd_level() {
    static const SimdLevel level = std::min(cpu_level(), allowed_level());
    return level;
}

const char* simd_name(SimdLevel level) {
    switch (level) {
        case SimdLevel::kAvx512:
            return "avx512";
        case SimdLevel::kAvx2:
            return "avx2";
        case SimdLevel::kGeneric:
            break;
    }
    return "generic";
}

}  // namespace intarsia
