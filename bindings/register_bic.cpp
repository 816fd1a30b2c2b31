#include "arrays.hpp"
#include "intarsia/bic/bic_moves.hpp"
#include "registers.hpp"

namespace intarsia::python {

namespace {

BicModel make_model(Index n_points, Index n_dims, double variance, double least_variance) {
    return {static_cast<double>(n_points), static_cast<double>(n_dims), variance, least_variance};
}

py::array_t<double> bic_costs(const BicModel& model, const Array<Index>& sizes, const Array<double>& sses) {
    const auto n = vector(sizes);
    const auto squares = vector(sses);
    if (n.size() != squares.size()) throw InvalidInput("there should be a sum of squares for each size.");
    std::vector<double> costs;
    for (std::size_t c = 0; c < n.size(); ++c) {
        if (n[c] < 1) throw InvalidInput("sizes should be at least 1.");
        costs.push_back(bic_cost(model, n[c], squares[c]));
    }
    return to_numpy(std::move(costs));
}

}  // namespace

void register_bic(py::module_& m) {
    py::class_<BicModel>(m, "BicModel", "What a cluster of spherical Gaussians costs.")
        .def(py::init(&make_model), py::arg("n_points"), py::arg("n_dims"), py::arg("variance"),
             py::arg("least_variance"));
    m.def("bic_costs", &bic_costs, py::arg("model"), py::arg("sizes"), py::arg("sums_of_squares"));
    m.def(
        "bic_moves",
        [](const Array<double>& x, const Array<Label>& labels, Index k, const BicModel& model,
           std::pair<Index, Index> counts, Index min_size, Index max_size) {
            const auto rows = matrix(x);
            const auto start = vector(labels);
            return to_numpy(
                without_gil([&] { return bic_moves(rows, start, k, model, counts, {min_size, max_size}); }));
        },
        py::arg("x"), py::arg("labels"), py::arg("k"), py::arg("model"), py::arg("counts"),
        py::arg("min_size"), py::arg("max_size"),
        "Single moves and merges that lower the criterion: labels.");
}

}  // namespace intarsia::python
