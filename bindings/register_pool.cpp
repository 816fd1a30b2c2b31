#include <limits>

#include "arrays.hpp"
#include "intarsia/pool/column_cost.hpp"
#include "intarsia/pool/column_pool.hpp"
#include "intarsia/pool/duplicates.hpp"
#include "intarsia/pool/expansion.hpp"
#include "intarsia/pool/swap_search.hpp"
#include "registers.hpp"

namespace intarsia::python {

namespace {

constexpr Index kNoLimit = std::numeric_limits<Index>::max();

/// A read-only snapshot: the array holds the storage it looks at, so growth and pruning cannot free it.
template <class T>
py::array_t<T> snapshot(const GrowingBuffer<T>& buffer) {
    using Shared = std::shared_ptr<const T[]>;
    auto* held = new Shared(buffer.share());
    py::capsule owner(held, [](void* p) { delete static_cast<Shared*>(p); });
    py::array_t<T> view({static_cast<py::ssize_t>(buffer.size())}, buffer.data(), owner);
    py::detail::array_proxy(view.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
    return view;
}

ColumnPool pool_of(Index n_points, const Array<Index>& offsets, const Array<Point>& members,
                   const Array<double>& costs, const Array<std::int32_t>& origins) {
    return {Columns{n_points, vector(offsets), vector(members), vector(costs)}, vector(origins)};
}

py::tuple add_column(ColumnPool& pool, const Array<Point>& members, double cost, std::int32_t origin) {
    const Added added = pool.add(vector(members), cost, origin);
    return py::make_tuple(added.id, added.is_new);
}

/// How a pool travels between processes: as its arrays, which can go without a copy.
py::tuple reduce(const ColumnPool& pool) {
    return py::make_tuple(py::type::of<ColumnPool>(),
                          py::make_tuple(pool.n_points(), snapshot(pool.offsets()), snapshot(pool.members()),
                                         snapshot(pool.costs()), snapshot(pool.origins())));
}

std::vector<std::uint8_t> bytes_of(const Array<bool>& mask) {
    const auto marks = vector(mask);
    return {marks.begin(), marks.end()};
}

void register_column_pool(py::module_& m) {
    py::class_<ColumnPool>(m, "ColumnPool", "Distinct columns with cost and origin; arrays are snapshots.")
        .def(py::init<Index>(), py::arg("n_points"))
        .def(py::init(&pool_of), py::arg("n_points"), py::arg("offsets"), py::arg("members"),
             py::arg("costs"), py::arg("origins"))
        .def("__reduce__", &reduce)
        .def("__len__", &ColumnPool::size)
        .def_property_readonly("n_points", &ColumnPool::n_points)
        .def_property_readonly("offsets", [](const ColumnPool& p) { return snapshot(p.offsets()); })
        .def_property_readonly("members", [](const ColumnPool& p) { return snapshot(p.members()); })
        .def_property_readonly("costs", [](const ColumnPool& p) { return snapshot(p.costs()); })
        .def_property_readonly("origins", [](const ColumnPool& p) { return snapshot(p.origins()); })
        .def(
            "find", [](const ColumnPool& p, const Array<Point>& members) { return p.find(vector(members)); },
            py::arg("members"))
        .def("add", &add_column, py::arg("members"), py::arg("cost"), py::arg("origin") = 0)
        .def(
            "copy", [](const ColumnPool& p) { return p; },
            "One that grows by itself; until then it shares all.")
        .def("absorb", &ColumnPool::absorb, py::arg("other"), py::arg("origin") = 0)
        .def(
            "subset", [](const ColumnPool& p, const Array<Index>& ids) { return p.subset(vector(ids)); },
            py::arg("ids"))
        .def(
            "prune", [](ColumnPool& p, const Array<bool>& keep) { p.prune(bytes_of(keep)); },
            py::arg("keep"));
}

py::tuple swap_search_py(const Array<double>& x, const Weights& weights, const Array<Label>& labels, Index k,
                         std::uint64_t seed, Stage stage, std::uint64_t task, std::uint64_t substream,
                         const SwapSearchOptions& options, const py::object& is_unwanted) {
    const auto points = weighted(x, weights);
    check_points(points, points.n_points());
    const auto start = vector(labels);
    SwapSearchOptions listening = options;
    if (!is_unwanted.is_none())
        listening.is_unwanted = [&] {
            py::gil_scoped_acquire gil;  // Ctrl-C is heard there, too
            return is_unwanted().cast<bool>();
        };
    SwapSearchResult result = without_gil([&] {  // islands search side by side
        Rng rng(seed, stage, task, substream);
        return swap_search(points, start, k, listening, rng);
    });
    const py::tuple counts = py::make_tuple(result.counts.tried, result.counts.kept);
    return py::make_tuple(to_numpy(std::move(result.labels)), py::cast(std::move(result.columns)),
                          result.start_cost, result.cost, result.work, counts);
}

SwapSearchOptions make_options(Index n_swaps, double keep_within, double seconds, Index min_size,
                               Index max_size, Index n_flow_swaps, double max_work, double least_gain) {
    const SizeLimits sizes{min_size, max_size};
    return {n_swaps, keep_within, max_work, least_gain, seconds, sizes, n_flow_swaps, {}};
}

void register_swap_search(py::module_& m) {
    py::class_<SwapSearchOptions>(m, "SwapSearchOptions", "How long to swap, and what to collect.")
        .def(py::init(&make_options), py::arg("n_swaps"), py::arg("keep_within"), py::arg("seconds"),
             py::arg("min_size"), py::arg("max_size"), py::arg("n_flow_swaps") = 0,
             py::arg("max_work") = std::numeric_limits<double>::infinity(), py::arg("least_gain") = 0.0);
    m.def("swap_search", &swap_search_py, py::arg("x").noconvert(), py::arg("weights").noconvert(),
          py::arg("labels").noconvert(), py::arg("k"), py::arg("seed"), py::arg("stage"), py::arg("task"),
          py::arg("substream"), py::arg("options"), py::arg("is_unwanted") = py::none(),
          "Random swaps from a partition: (labels, columns of good trials, cost of the local optimum they "
          "began from, cost, distances looked at, (swaps tried, kept)).");
}

}  // namespace

void register_pool(py::module_& m) {
    register_column_pool(m);
    register_swap_search(m);
    m.def(
        "add_clusters",
        [](ColumnPool& pool, const Array<double>& x, const Weights& weights, const Array<Label>& labels,
           Index k, std::int32_t origin, Index min_size, Index max_size) {
            const WeightedPoints points = weighted(x, weights);
            const auto view = vector(labels);
            py::gil_scoped_release nogil;  // arguments are plain views from here on
            auto ids = add_clusters(pool, points, view, k, origin, {min_size, max_size});
            py::gil_scoped_acquire gil;
            return to_numpy(std::move(ids));
        },
        py::arg("pool"), py::arg("x"), py::arg("weights"), py::arg("labels"), py::arg("k"), py::arg("origin"),
        py::arg("min_size") = 1, py::arg("max_size") = kNoLimit);
    m.def(
        "remove_duplicates",
        [](const ColumnPool& pool, const Array<Index>& chosen, const Array<double>& x,
           const Weights& weights) {
            const WeightedPoints points = weighted(x, weights);
            const auto ids = vector(chosen);
            py::gil_scoped_release nogil;
            auto labels = remove_duplicates(pool.columns(), ids, points);
            py::gil_scoped_acquire gil;
            return to_numpy(std::move(labels));
        },
        py::arg("pool"), py::arg("chosen"), py::arg("x"), py::arg("weights"));
    m.def(
        "expand_partition",
        [](ColumnPool& pool, const Array<double>& x, const Weights& weights, const Array<Label>& labels,
           Index k, Index tau, std::int32_t origin, Index min_size, Index max_size, int n_threads) {
            const WeightedPoints points = weighted(x, weights);
            const auto view = vector(labels);
            py::gil_scoped_release nogil;
            return expand_partition(pool, points, view, k, tau, {min_size, max_size}, origin, n_threads);
        },
        py::arg("pool"), py::arg("x"), py::arg("weights"), py::arg("labels"), py::arg("k"), py::arg("tau"),
        py::arg("origin"), py::arg("min_size") = 1, py::arg("max_size") = kNoLimit, py::arg("n_threads") = 1);
}

}  // namespace intarsia::python
