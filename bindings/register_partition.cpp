#include <algorithm>

#include "arrays.hpp"
#include "intarsia/common/deadline.hpp"
#include "intarsia/partition/hartigan.hpp"
#include "intarsia/partition/jump.hpp"
#include "intarsia/partition/kmeans_within_sizes.hpp"
#include "intarsia/partition/partition.hpp"
#include "intarsia/partition/random_swap.hpp"
#include "intarsia/partition/size_flow.hpp"
#include "registers.hpp"

namespace intarsia::python {

namespace {

py::tuple summarise_py(const Array<double>& x, const Weights& weights, const Array<Label>& labels, Index k) {
    const auto points = weighted(x, weights);
    const auto l = vector(labels);
    PartitionSummary s = without_gil([&] { return summarise(points, l, k); });
    return py::make_tuple(to_numpy(std::move(s.centres), {k, points.n_dims()}), to_numpy(std::move(s.costs)),
                          s.total);
}

std::vector<Label> labels_of(const Hartigan& partition) {
    return {partition.labels().begin(), partition.labels().end()};
}

py::tuple hartigan_py(const Array<double>& x, const Weights& weights, const Array<Label>& labels, Index k,
                      Index min_size, Index max_size, double seconds) {
    const auto points = weighted(x, weights);
    const auto start = vector(labels);
    const Deadline deadline(seconds);
    Index n_moves = 0;
    auto improved = without_gil([&] {
        Hartigan partition(points, k, {min_size, max_size});
        partition.load(start);
        n_moves = partition.improve([&] { return deadline.is_over(); });
        return labels_of(partition);
    });
    return py::make_tuple(to_numpy(std::move(improved)), n_moves);
}

py::tuple random_swap_py(const Array<double>& x, const Weights& weights, const Array<Label>& labels, Index k,
                         Index n_swaps, std::uint64_t seed, std::uint64_t task, double seconds) {
    const auto points = weighted(x, weights);
    const auto start = vector(labels);
    const Deadline deadline(seconds);
    const auto is_late = [&] { return deadline.is_over(); };
    SwapCounts counts;
    auto improved = without_gil([&] {
        Hartigan partition(points, k);
        partition.load(start);
        partition.improve(is_late);
        Rng rng(seed, Stage::kRandomSwap, task);
        counts = random_swaps(partition, n_swaps, rng, {}, is_late);
        return labels_of(partition);
    });
    return py::make_tuple(to_numpy(std::move(improved)), counts.kept);
}

py::array_t<Label> kmeans_within_sizes_py(const Array<double>& x, const Weights& weights,
                                          const Array<double>& centres, Index min_size, Index max_size,
                                          Index max_flows, const py::function& is_late) {
    const auto points = weighted(x, weights);
    const auto start = matrix(centres);
    const auto ask = [&] {
        py::gil_scoped_acquire gil;  // Ctrl-C is heard there, too
        return is_late().cast<bool>();
    };
    return to_numpy(without_gil(
        [&] { return kmeans_within_sizes(points, start, {min_size, max_size}, max_flows, ask); }));
}

py::array_t<Label> assign_within_sizes_py(const Array<double>& costs, Index min_size, Index max_size) {
    const auto rows = matrix(costs);
    const AssignmentCosts known{rows.n_rows(), rows.n_cols(),
                                [&](Index i, double* row) { std::copy_n(rows.row(i), rows.n_cols(), row); }};
    return to_numpy(without_gil([&] {
        std::vector<double> prices(static_cast<std::size_t>(rows.n_cols()) + 1, 0.0);
        return assign_within_sizes(known, {min_size, max_size}, prices);
    }));
}

py::tuple best_jump_py(const Array<double>& x, const Weights& weights, const Array<double>& centres,
                       int n_threads) {
    const auto points = weighted(x, weights);
    const auto from = matrix(centres);
    const Jump found = without_gil([&] { return best_jump(points, from, n_threads); });
    return py::make_tuple(found.point, found.centre, found.change);
}

}  // namespace

void register_partition(py::module_& m) {
    m.def("best_jump", &best_jump_py, py::arg("x").noconvert(), py::arg("weights").noconvert(),
          py::arg("centres").noconvert(), py::arg("n_threads"),
          "The best move of one centre to a point: (point or -1, centre, change of the sum of squares).");
    m.def("summarise", &summarise_py, py::arg("x").noconvert(), py::arg("weights").noconvert(),
          py::arg("labels").noconvert(), py::arg("k"),
          "Centres, cluster costs and total cost of a partition.");
    m.def("hartigan", &hartigan_py, py::arg("x").noconvert(), py::arg("weights").noconvert(),
          py::arg("labels").noconvert(), py::arg("k"), py::arg("min_size"), py::arg("max_size"),
          py::arg("seconds") = kNoLimit, "Single-point moves to a local optimum: (labels, n_moves).");
    m.def("random_swap", &random_swap_py, py::arg("x").noconvert(), py::arg("weights").noconvert(),
          py::arg("labels").noconvert(), py::arg("k"), py::arg("n_swaps"), py::arg("seed"), py::arg("task"),
          py::arg("seconds") = kNoLimit, "Random swaps from a partition: (labels, n_kept).");
    m.def("assign_within_sizes", &assign_within_sizes_py, py::arg("costs").noconvert(), py::arg("min_size"),
          py::arg("max_size"), "The cheapest clusters within size limits; costs has a row for each point.");
    m.def("kmeans_within_sizes", &kmeans_within_sizes_py, py::arg("x").noconvert(),
          py::arg("weights").noconvert(), py::arg("centres").noconvert(), py::arg("min_size"),
          py::arg("max_size"), py::arg("max_flows"), py::arg("is_late"),
          "k-means whose clusters keep size limits, from given centres: labels.");
}

}  // namespace intarsia::python
