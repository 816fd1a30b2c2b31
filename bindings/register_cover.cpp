#include <optional>
#include <utility>

#include <pybind11/stl.h>

#include "arrays.hpp"
#include "intarsia/cover/fixing.hpp"
#include "intarsia/cover/lagrangian.hpp"
#include "intarsia/cover/reduced_costs.hpp"
#include "intarsia/cover/rounding.hpp"
#include "intarsia/pool/column_pool.hpp"
#include "registers.hpp"

namespace intarsia::python {

namespace {

using Start = std::optional<Array<double>>;

py::tuple ascend_pool(const ColumnPool& pool, std::pair<Index, Index> counts, const Start& start,
                      const AscentOptions& options) {
    const auto first = start ? vector(*start) : std::span<const double>{};
    const Columns columns = pool.columns();
    Ascent result = [&] {
        py::gil_scoped_release nogil;  // arguments are plain views from here on
        return ascend(columns, {counts.first, counts.second}, first, options);
    }();
    return py::make_tuple(result.bound, to_numpy(std::move(result.multipliers)),
                          to_numpy(std::move(result.reduced_costs)), result.n_iterations);
}

py::array_t<double> price_pool(const ColumnPool& pool, const Array<double>& multipliers, int n_threads) {
    const auto u = vector(multipliers);
    if (static_cast<Index>(u.size()) != pool.n_points()) {
        throw InvalidInput("multipliers should have one entry for each point.");
    }
    std::vector<double> reduced(static_cast<std::size_t>(pool.size()));
    {
        py::gil_scoped_release nogil;
        price_columns(pool.columns(), u, n_threads, reduced);
    }
    return to_numpy(std::move(reduced));
}

py::array_t<Index> round_pool(const ColumnPool& pool, std::pair<Index, Index> counts,
                              const Array<double>& multipliers, const Array<double>& reduced_costs,
                              std::uint64_t seed, Stage stage, std::uint64_t task, std::uint64_t substream,
                              double noise, double candidate_factor) {
    const auto u = vector(multipliers), r = vector(reduced_costs);
    if (static_cast<Index>(u.size()) != pool.n_points() || static_cast<Index>(r.size()) != pool.size()) {
        throw InvalidInput("multipliers need one entry for each point, reduced_costs one for each column.");
    }
    std::vector<Index> chosen;
    {
        py::gil_scoped_release nogil;
        chosen = round_lagrangian(pool.columns(), {counts.first, counts.second}, u, r,
                                  {noise, candidate_factor}, Rng(seed, stage, task, substream));
    }
    return to_numpy(std::move(chosen));
}

void register_options(py::module_& m) {
    py::class_<AscentOptions>(m, "AscentOptions", "How the dual of the cover problem is climbed.")
        .def(py::init<>())
        .def_readwrite("equality", &AscentOptions::equality)
        .def_readwrite("max_iterations", &AscentOptions::max_iterations)
        .def_readwrite("step", &AscentOptions::step)
        .def_readwrite("upper_bound", &AscentOptions::upper_bound)
        .def_readwrite("magnitude", &AscentOptions::magnitude)
        .def_readwrite("n_threads", &AscentOptions::n_threads);
}

}  // namespace

void register_cover(py::module_& m) {
    register_options(m);
    m.def("ascend", &ascend_pool, py::arg("pool"), py::arg("counts"), py::arg("start"), py::arg("options"),
          "Lagrangian ascent, (least, most) columns: (bound, multipliers, reduced costs, iterations).");
    m.def("price_columns", &price_pool, py::arg("pool"), py::arg("multipliers"), py::arg("n_threads") = 1);
    m.def(
        "fix_columns",
        [](const Array<double>& r, double bound, double upper_bound, std::pair<Index, Index> counts,
           double magnitude) {
            return to_numpy(
                fix_columns(vector(r), bound, upper_bound, {counts.first, counts.second}, magnitude));
        },
        py::arg("reduced_costs"), py::arg("bound"), py::arg("upper_bound"), py::arg("counts"),
        py::arg("magnitude") = 0.0, "-1: in no cover within the upper bound, 1: in all of them, 0: open.");
    m.def("round_lagrangian", &round_pool, py::arg("pool"), py::arg("counts"), py::arg("multipliers"),
          py::arg("reduced_costs"), py::arg("seed"), py::arg("stage"), py::arg("task"), py::arg("substream"),
          py::arg("noise") = 0.2, py::arg("candidate_factor") = 6.0);
}

}  // namespace intarsia::python
