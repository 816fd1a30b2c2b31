#include <string>

#include "arrays.hpp"
#include "intarsia/common/distinct.hpp"
#include "intarsia/common/rng.hpp"
#include "intarsia/common/simd.hpp"
#include "registers.hpp"

#include <omp.h>

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

template <class T>
void register_distinct(py::module_& m) {
    m.def(
        "count_distinct", [](const Array<T>& x, Index limit) { return count_distinct(matrix(x), limit); },
        py::arg("x").noconvert(), py::arg("limit"), "Number of different rows, counted up to a limit.");
}

void register_stages(py::module_& m) {
    py::enum_<Stage>(m, "Stage", "What a stream of random numbers is for.", py::arithmetic())
        .value("SEEDING", Stage::kSeeding)
        .value("RANDOM_SWAP", Stage::kRandomSwap)
        .value("BASE_RUN", Stage::kBaseRun)
        .value("COVER", Stage::kCover)
        .value("SEARCH", Stage::kSearch)
        .value("MERGE_COVER", Stage::kMergeCover)
        .value("STEP_COVER", Stage::kStepCover)
        .value("BEST_SEARCH", Stage::kBestSearch)
        .value("LABEL_SEEDING", Stage::kLabelSeeding)
        .value("LABEL_MOVES", Stage::kLabelMoves)
        .value("ANNEALING_ORDER", Stage::kAnnealingOrder)
        .value("ANNEALING", Stage::kAnnealing)
        .value("ANNEALING_START", Stage::kAnnealingStart)
        .value("BOOSTING", Stage::kBoosting)
        .value("BOOSTING_BASE", Stage::kBoostingBase)
        .value("MEMBERS", Stage::kMembers)
        .value("HALVES", Stage::kHalves)
        .value("POINT_PAIRS", Stage::kPointPairs)
        .value("CLUSTER_PAIRS", Stage::kClusterPairs)
        .value("STUDY_MEMBERS", Stage::kStudyMembers)
        .value("STUDY_DRAWS", Stage::kStudyDraws)
        .value("SPECTRAL", Stage::kSpectral)
        .value("RESAMPLE", Stage::kResample)
        .value("RESAMPLE_BASE", Stage::kResampleBase)
        .value("SELECTION", Stage::kSelection)
        .value("USER", Stage::kUser);
}

}  // namespace

void register_common(py::module_& m) {
    m.def("build_info", &build_info, "Compiler and options of this build, for people to read.");
    m.def("simd_level", [] { return std::string(simd_name(simd_level())); }, "avx512, avx2 or generic.");
    m.def("max_threads", [] { return omp_get_num_procs(); }, "Processors this process may use.");
    m.def("philox4x64", &philox4x64, py::arg("counter"), py::arg("key"),
          "One block of Philox 4x64-10: four 64-bit words for a counter and a key.");
    register_stages(m);
    register_distinct<double>(m);
    register_distinct<float>(m);
}

}  // namespace intarsia::python
