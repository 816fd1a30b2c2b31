#include "arrays.hpp"
#include "intarsia/pmedian/column_median.hpp"
#include "intarsia/pmedian/median_columns.hpp"
#include "intarsia/pmedian/median_search.hpp"
#include "intarsia/pmedian/median_swaps.hpp"
#include "registers.hpp"

namespace intarsia::python {

namespace {

Space space_of(const Array<double>& x, const Weights& weights, const std::string& metric) {
    return {weighted(x, weights), metric_of(metric)};
}

py::tuple column_median_py(const Array<double>& x, const Weights& weights, const std::string& metric,
                           const Array<Point>& members) {
    const Space space = space_of(x, weights, metric);
    check_space(space);
    const auto ids = vector(members);
    for (std::size_t p = 0; p < ids.size(); ++p) {
        if (ids[p] < 0 || ids[p] >= space.n_points() || (p > 0 && ids[p] <= ids[p - 1]))
            throw InvalidInput("members should be points, ascending.");
    }
    if (ids.empty()) throw InvalidInput("a column should have at least one member.");
    const ColumnMedian found = without_gil([&] { return column_median(space, ids); });
    return py::make_tuple(found.median, found.cost);
}

py::tuple cluster_medians_py(const Array<double>& x, const Weights& weights, const std::string& metric,
                             const Array<Label>& labels, Index k) {
    const Space space = space_of(x, weights, metric);
    const auto view = vector(labels);
    ClusterMedians found = without_gil([&] { return cluster_medians(space, view, k); });
    return py::make_tuple(to_numpy(std::move(found.medians)), to_numpy(std::move(found.costs)));
}

py::array_t<Point> draw_medians_py(const Array<double>& x, const Weights& weights, const std::string& metric,
                                   Index k, bool greedy, std::uint64_t seed, std::uint64_t task) {
    const Space space = space_of(x, weights, metric);
    return to_numpy(without_gil([&] {
        Rng rng(seed, Stage::kSeeding, task);
        return draw_medians(space, k, greedy, rng);
    }));
}

py::tuple swap_medians_py(const Array<double>& x, const Weights& weights, const std::string& metric,
                          const Array<Point>& medians, double seconds) {
    const Space space = space_of(x, weights, metric);
    const auto start = vector(medians);
    MedianFit fit = without_gil([&] { return swap_medians(space, start, seconds); });
    return py::make_tuple(to_numpy(std::move(fit.labels)), to_numpy(std::move(fit.medians)), fit.cost,
                          fit.work);
}

py::tuple median_search_py(const Array<double>& x, const Weights& weights, const std::string& metric,
                           const Array<Point>& medians, std::uint64_t seed, Stage stage, std::uint64_t task,
                           std::uint64_t substream, Index n_trials, double max_work, double least_gain,
                           double seconds) {
    const Space space = space_of(x, weights, metric);
    const auto start = vector(medians);
    const MedianSearchOptions options{n_trials, max_work, least_gain, seconds};
    MedianSearchResult result = without_gil([&] {
        Rng rng(seed, stage, task, substream);
        return median_search(space, start, options, rng);
    });
    return py::make_tuple(to_numpy(std::move(result.labels)), py::cast(std::move(result.columns)),
                          result.start_cost, result.cost, result.work);
}

void register_median_columns(py::module_& m) {
    m.def(
        "add_median_clusters",
        [](ColumnPool& pool, const Array<double>& x, const Weights& weights, const std::string& metric,
           const Array<Label>& labels, Index k, std::int32_t origin, Index min_size, Index max_size) {
            const Space space = space_of(x, weights, metric);
            const auto view = vector(labels);
            return to_numpy(without_gil(
                [&] { return add_median_clusters(pool, space, view, k, origin, {min_size, max_size}); }));
        },
        py::arg("pool"), py::arg("x"), py::arg("weights"), py::arg("metric"), py::arg("labels"), py::arg("k"),
        py::arg("origin"), py::arg("min_size"), py::arg("max_size"));
    m.def(
        "remove_median_duplicates",
        [](const ColumnPool& pool, const Array<Index>& chosen, const Array<double>& x, const Weights& weights,
           const std::string& metric) {
            const Space space = space_of(x, weights, metric);
            const auto ids = vector(chosen);
            return to_numpy(
                without_gil([&] { return remove_median_duplicates(pool.columns(), ids, space); }));
        },
        py::arg("pool"), py::arg("chosen"), py::arg("x"), py::arg("weights"), py::arg("metric"));
    m.def(
        "expand_medians",
        [](ColumnPool& pool, const Array<double>& x, const Weights& weights, const std::string& metric,
           const Array<Label>& labels, Index k, Index tau, std::int32_t origin, Index min_size,
           Index max_size) {
            const Space space = space_of(x, weights, metric);
            const auto view = vector(labels);
            return without_gil(
                [&] { return expand_medians(pool, space, view, k, tau, {min_size, max_size}, origin); });
        },
        py::arg("pool"), py::arg("x"), py::arg("weights"), py::arg("metric"), py::arg("labels"), py::arg("k"),
        py::arg("tau"), py::arg("origin"), py::arg("min_size"), py::arg("max_size"));
}

}  // namespace

void register_pmedian(py::module_& m) {
    register_median_columns(m);
    m.def("column_median", &column_median_py, py::arg("x"), py::arg("weights"), py::arg("metric"),
          py::arg("members"), "The best median of some points, and the sum of their distances to it.");
    m.def("cluster_medians", &cluster_medians_py, py::arg("x"), py::arg("weights"), py::arg("metric"),
          py::arg("labels"), py::arg("k"), "The same of each cluster: (medians, costs).");
    m.def(
        "medians_of",
        [](const Array<double>& x, const Weights& weights, const std::string& metric,
           const Array<Label>& labels, Index k) {
            const Space space = space_of(x, weights, metric);
            const auto view = vector(labels);
            return to_numpy(without_gil([&] { return medians_of(space, view, k); }));
        },
        py::arg("x"), py::arg("weights"), py::arg("metric"), py::arg("labels"), py::arg("k"));
    m.def("draw_medians", &draw_medians_py, py::arg("x"), py::arg("weights"), py::arg("metric"), py::arg("k"),
          py::arg("greedy"), py::arg("seed"), py::arg("task"));
    m.def("swap_medians", &swap_medians_py, py::arg("x"), py::arg("weights"), py::arg("metric"),
          py::arg("medians"), py::arg("seconds") = kNoLimit,
          "Swaps of medians to a local optimum: (labels, medians, cost, distances looked at).");
    m.def("median_search", &median_search_py, py::arg("x"), py::arg("weights"), py::arg("metric"),
          py::arg("medians"), py::arg("seed"), py::arg("stage"), py::arg("task"), py::arg("substream"),
          py::arg("n_trials"), py::arg("max_work"), py::arg("least_gain"), py::arg("seconds"),
          "Swaps and random trials: (labels, columns of good trials, cost of the local optimum they began "
          "from, cost, distances looked at).");
}

}  // namespace intarsia::python
