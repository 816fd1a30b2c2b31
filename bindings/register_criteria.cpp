#include <memory>

#include "arrays.hpp"
#include "intarsia/common/label_groups.hpp"
#include "intarsia/criteria/entropy.hpp"
#include "intarsia/criteria/entropy_moves.hpp"
#include "intarsia/criteria/entropy_pool.hpp"
#include "intarsia/criteria/entropy_search.hpp"
#include "registers.hpp"

namespace intarsia::python {

namespace {

std::unique_ptr<StructuralEntropy> entropy_of(const Array<Index>& offsets, const Array<Point>& ids,
                                              double alpha) {
    const auto from = vector(offsets);
    const auto rows = vector(ids);
    return without_gil(
        [&] { return std::make_unique<StructuralEntropy>(Neighbourhoods(from, rows), alpha); });
}

/// How it travels between processes: as its neighbourhoods.
py::tuple reduce(const StructuralEntropy& entropy) {
    const Groups& rows = entropy.neighbourhoods().rows();
    return py::make_tuple(py::type::of<StructuralEntropy>(),
                          py::make_tuple(to_numpy(std::vector<Index>(rows.offsets)),
                                         to_numpy(std::vector<Point>(rows.members)), entropy.alpha()));
}

double cost_py(const StructuralEntropy& entropy, const Array<Point>& members) {
    const auto ids = vector(members);
    for (Point j : ids)
        if (j < 0 || j >= entropy.n_points()) throw InvalidInput("members should be in [0, n_points).");
    return without_gil([&] { return entropy.cost(ids); });
}

py::array_t<double> costs_py(const StructuralEntropy& entropy, const Array<Label>& labels, Index k) {
    const auto view = vector(labels);
    check_labels(view, entropy.n_points(), k);
    return to_numpy(without_gil([&] {
        const Groups groups = group_labels(view, k);
        std::vector<double> costs;
        for (Index c = 0; c < k; ++c) costs.push_back(entropy.cost(groups[c]));
        return costs;
    }));
}

py::array_t<Label> moves_py(const StructuralEntropy& entropy, const Array<Label>& labels, Index k,
                            Index least, Index most, bool improves) {
    const auto start = vector(labels);
    return to_numpy(without_gil([&] {
        EntropyMoves moves(entropy, start, k, {least, most});
        moves.keep_sizes();
        if (improves) moves.improve();
        return std::vector<Label>(moves.labels());
    }));
}

py::array_t<Index> add_py(const StructuralEntropy& entropy, ColumnPool& pool, const Array<Label>& labels,
                          Index k, std::int32_t origin, Index least, Index most) {
    const auto view = vector(labels);
    return to_numpy(
        without_gil([&] { return add_entropy_clusters(pool, entropy, view, k, origin, {least, most}); }));
}

py::array_t<Label> duplicates_py(const StructuralEntropy& entropy, const ColumnPool& pool,
                                 const Array<Index>& chosen) {
    const auto ids = vector(chosen);
    return to_numpy(without_gil([&] { return remove_entropy_duplicates(pool.columns(), ids, entropy); }));
}

void expand_py(const StructuralEntropy& entropy, ColumnPool& pool, const Array<Label>& labels, Index k,
               Index tau, std::int32_t origin, Index least, Index most, int n_threads) {
    const auto view = vector(labels);
    without_gil(
        [&] { expand_entropy_partition(pool, entropy, view, k, tau, {least, most}, origin, n_threads); });
}

py::tuple search_py(const StructuralEntropy& entropy, const Array<Label>& labels, Index k, std::uint64_t seed,
                    Stage stage, std::uint64_t task, std::uint64_t substream, Index n_swaps, double max_work,
                    double least_gain, double seconds, Index least, Index most) {
    const auto start = vector(labels);
    const EntropySearchOptions options{n_swaps, max_work, least_gain, seconds, {least, most}};
    EntropySearchResult found = without_gil([&] {
        Rng rng(seed, stage, task, substream);
        return entropy_swap_search(entropy, start, k, options, rng);
    });
    return py::make_tuple(to_numpy(std::move(found.labels)), py::cast(std::move(found.columns)),
                          found.start_cost, found.work);
}

}  // namespace

void register_criteria(py::module_& m) {
    py::class_<StructuralEntropy>(
        m, "StructuralEntropy",
        "What clusters cost by the neighbours of every point, and steps that lower it.")
        .def(py::init(&entropy_of), py::arg("offsets"), py::arg("ids"), py::arg("alpha"))
        .def("__reduce__", &reduce)
        .def("cost", &cost_py, py::arg("members"), "Of a cluster of these points, ascending.")
        .def("costs", &costs_py, py::arg("labels").noconvert(), py::arg("k"), "Of each cluster.")
        .def("moves", &moves_py, py::arg("labels").noconvert(), py::arg("k"), py::arg("min_size"),
             py::arg("max_size"), py::arg("improves"),
             "Labels within the size limits; at a local optimum of single moves if it improves.")
        .def("add_clusters", &add_py, py::arg("pool"), py::arg("labels").noconvert(), py::arg("k"),
             py::arg("origin"), py::arg("min_size"), py::arg("max_size"))
        .def("remove_duplicates", &duplicates_py, py::arg("pool"), py::arg("chosen"))
        .def("expand_partition", &expand_py, py::arg("pool"), py::arg("labels").noconvert(), py::arg("k"),
             py::arg("tau"), py::arg("origin"), py::arg("min_size"), py::arg("max_size"),
             py::arg("n_threads"))
        .def("swap_search", &search_py, py::arg("labels").noconvert(), py::arg("k"), py::arg("seed"),
             py::arg("stage"), py::arg("task"), py::arg("substream"), py::arg("n_swaps"), py::arg("max_work"),
             py::arg("least_gain"), py::arg("seconds"), py::arg("min_size"), py::arg("max_size"),
             "Moves and swaps: (labels, columns of good trials, cost before the swaps, neighbours looked "
             "at).");
}

}  // namespace intarsia::python
