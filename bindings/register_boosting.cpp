#include "arrays.hpp"
#include "intarsia/boosting/hypothesis.hpp"
#include "intarsia/boosting/point_weights.hpp"
#include "intarsia/common/rng.hpp"
#include "registers.hpp"

namespace intarsia::python {

namespace {

using Doubles = Array<double>;

py::array_t<double> draw_replicate_py(const Doubles& weights, Index n_draws, std::uint64_t seed,
                                      std::uint64_t round, std::uint64_t attempt) {
    const auto w = vector(weights);
    return to_numpy(without_gil([&] { return draw_replicate(w, n_draws, seed, round, attempt); }));
}

std::uint64_t boosting_seed_py(std::uint64_t seed, std::uint64_t round, std::uint64_t attempt) {
    return Rng(seed, Stage::kBoostingBase, round, attempt).next_u64();
}

double pseudoloss_py(const Doubles& weights, const Doubles& quality, int n_threads) {
    const auto w = vector(weights);
    const auto q = vector(quality);
    return without_gil([&] { return pseudoloss(w, q, n_threads); });
}

py::array_t<double> reweighted_py(const Doubles& weights, const Doubles& quality, double log_beta,
                                  int n_threads) {
    const auto w = vector(weights);
    const auto q = vector(quality);
    return to_numpy(without_gil([&] { return reweighted(w, q, log_beta, n_threads); }));
}

py::array_t<double> minmax_quality_py(const Doubles& memberships, int n_threads) {
    const auto h = matrix(memberships);
    return to_numpy(without_gil([&] { return minmax_quality(h, n_threads); }));
}

py::array_t<double> entropy_quality_py(const Doubles& memberships, double log_base, int n_threads) {
    const auto h = matrix(memberships);
    return to_numpy(without_gil([&] { return entropy_quality(h, log_base, n_threads); }));
}

py::array_t<Label> add_votes_py(Doubles votes, const Doubles& memberships, const Array<Label>& names,
                                double weight, int n_threads) {
    if (votes.ndim() != 2) throw InvalidInput("expected a two-dimensional array");
    const MatrixView<double> out(votes.mutable_data(), votes.shape(0), votes.shape(1));
    const auto h = matrix(memberships);
    const auto to = vector(names);
    return to_numpy(without_gil([&] { return add_votes(out, h, to, weight, n_threads); }));
}

py::array_t<Label> largest_columns_py(const Doubles& rows, int n_threads) {
    const auto values = matrix(rows);
    return to_numpy(without_gil([&] { return largest_columns(values, n_threads); }));
}

}  // namespace

void register_boosting(py::module_& m) {
    m.def("draw_replicate", &draw_replicate_py, py::arg("weights").noconvert(), py::arg("n_draws"),
          py::arg("seed"), py::arg("round"), py::arg("attempt"),
          "How often each point is drawn, with replacement and by weight.");
    m.def("boosting_seed", &boosting_seed_py, py::arg("seed"), py::arg("round"), py::arg("attempt"),
          "Seed of the base clusterer in a round.");
    m.def("pseudoloss", &pseudoloss_py, py::arg("weights").noconvert(), py::arg("quality").noconvert(),
          py::arg("n_threads"), "Half the weighted sum of the quality index.");
    m.def("reweighted", &reweighted_py, py::arg("weights").noconvert(), py::arg("quality").noconvert(),
          py::arg("log_beta"), py::arg("n_threads"), "Weights times beta^quality, scaled to sum one.");
    m.def("minmax_quality", &minmax_quality_py, py::arg("memberships").noconvert(), py::arg("n_threads"),
          "1 - largest + smallest membership of every point.");
    m.def("entropy_quality", &entropy_quality_py, py::arg("memberships").noconvert(), py::arg("log_base"),
          py::arg("n_threads"), "Entropy of the memberships of every point.");
    m.def("add_votes", &add_votes_py, py::arg("votes").noconvert(), py::arg("memberships").noconvert(),
          py::arg("names").noconvert(), py::arg("weight"), py::arg("n_threads"),
          "Add weighted memberships to the renamed columns of votes, in place; returns who leads.");
    m.def("largest_columns", &largest_columns_py, py::arg("rows").noconvert(), py::arg("n_threads"),
          "Column of the largest value of every row, the first of equal ones.");
}

}  // namespace intarsia::python
