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

const Kernels<double> kDoubleGeneric = make_kernels<double, 2>();
const Kernels<float> kFloatGeneric = make_kernels<float, 4>();

}  // namespace intarsia
