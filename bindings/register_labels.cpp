#include <optional>

#include <pybind11/stl.h>

#include "arrays.hpp"
#include "intarsia/itk.hpp"
#include "intarsia/kmodes.hpp"
#include "intarsia/label_seeding.hpp"
#include "intarsia/mixture.hpp"
#include "intarsia/qmi.hpp"
#include "registers.hpp"

namespace intarsia::python {

namespace {

using Doubles = Array<double>;
using Labels = Array<Label>;

/// An ensemble as the kernels read it: views of NumPy arrays that it keeps alive.
class LabelEnsemble {
  public:
    LabelEnsemble(Labels labels, const Array<Index>& n_classes, std::optional<Doubles> memberships,
                  Doubles member_weights, Doubles point_weights)
        : labels_(std::move(labels)),
          memberships_(std::move(memberships)),
          member_weights_(std::move(member_weights)),
          point_weights_(std::move(point_weights)),
          rows_(matrix(labels_), vector(n_classes),
                memberships_ ? matrix(*memberships_) : MatrixView<const double>{}) {
        if (member_weights_.size() != rows_.slots().n_members())
            throw InvalidInput("member_weights should have one entry a member.");
        if (point_weights_.size() != rows_.n_rows())
            throw InvalidInput("point_weights should have one entry a point.");
    }

    LabelProblem problem(Index k, Index max_iter, int n_threads) const {
        if (k < 1 || k > rows_.n_rows()) throw InvalidInput("n_clusters must be between 1 and n_samples");
        return {rows_, vector(point_weights_), k, max_iter, n_threads};
    }
    std::span<const double> member_weights() const { return vector(member_weights_); }

  private:
    Labels labels_;
    std::optional<Doubles> memberships_;
    Doubles member_weights_;
    Doubles point_weights_;
    LabelRows rows_;
};

py::tuple pack(LabelRun&& run) {
    return py::make_tuple(to_numpy(std::move(run.labels)), run.objective, run.n_iter, run.converged,
                          to_numpy(std::move(run.history)));
}

/// Calls fn without the GIL, so that restarts may run side by side.
template <class Fn>
py::tuple run_free(Fn&& fn) {
    LabelRun run;
    {
        py::gil_scoped_release free_gil;
        run = fn();
    }
    return pack(std::move(run));
}

py::array_t<Label> seeded_py(const LabelEnsemble& e, Index k, std::uint64_t seed, std::uint64_t task,
                             int n_threads) {
    const auto problem = e.problem(k, 1, n_threads);
    const auto labels = problem.rows.labels();
    std::vector<Label> start;
    {
        py::gil_scoped_release free_gil;
        constexpr std::uint64_t kRowsOfLabels = 1;  // seeding of points is substream 0
        Rng rng(seed, Stage::kSeeding, task, kRowsOfLabels);
        std::vector<Label> modes;
        for (Index i : seed_rows(problem, e.member_weights(), rng))
            modes.insert(modes.end(), labels.row(i), labels.row(i) + labels.n_cols());
        start = nearest_modes(problem, e.member_weights(), {modes.data(), k, labels.n_cols()});
    }
    return to_numpy(std::move(start));
}

py::array_t<Label> nearest_py(const LabelEnsemble& e, const Labels& modes, int n_threads) {
    const auto m = matrix(modes);
    return to_numpy(nearest_modes(e.problem(m.n_rows(), 1, n_threads), e.member_weights(), m));
}

py::tuple kmodes_py(const LabelEnsemble& e, const Labels& start, Index k, Index max_iter, int n_threads) {
    const auto problem = e.problem(k, max_iter, n_threads);
    const auto labels = vector(start);
    return run_free([&] { return kmodes(problem, e.member_weights(), labels); });
}

py::tuple improve_kmodes_py(const LabelEnsemble& e, const Labels& start, Index k, Index max_iter,
                            Index n_swaps, std::uint64_t seed, int n_threads) {
    const auto problem = e.problem(k, max_iter, n_threads);
    const auto labels = vector(start);
    return run_free([&] {
        constexpr std::uint64_t kRowsOfLabels = 1;
        Rng rng(seed, Stage::kRandomSwap, 0, kRowsOfLabels);
        const LabelRun run = kmodes(problem, e.member_weights(), labels);
        return improve_kmodes(problem, e.member_weights(), run, n_swaps, rng);
    });
}

py::tuple itk_py(const LabelEnsemble& e, const Labels& start, Index k, Index max_iter, double smoothing,
                 int n_threads) {
    const auto problem = e.problem(k, max_iter, n_threads);
    const auto labels = vector(start);
    return run_free([&] { return itk(problem, e.member_weights(), labels, smoothing); });
}

py::tuple qmi_py(const LabelEnsemble& e, const Labels& start, Index k, Index max_iter, int n_threads) {
    const auto problem = e.problem(k, max_iter, n_threads);
    const auto labels = vector(start);
    return run_free([&] { return qmi(problem, e.member_weights(), labels); });
}

py::tuple mixture_partition_py(const LabelEnsemble& e, const Labels& start, Index k, Index max_iter,
                               double smoothing, int n_threads) {
    const auto problem = e.problem(k, max_iter, n_threads);
    const auto labels = vector(start);
    return run_free([&] { return mixture_partition(problem, e.member_weights(), labels, {smoothing, 0}); });
}

py::tuple mixture_py(const LabelEnsemble& e, const Labels& start, Index k, Index max_iter, double smoothing,
                     double tol, int n_threads) {
    const auto problem = e.problem(k, max_iter, n_threads);
    const auto labels = vector(start);
    MixtureRun run;
    {
        py::gil_scoped_release free_gil;
        run = mixture(problem, e.member_weights(), labels, {smoothing, tol});
    }
    return py::make_tuple(to_numpy(std::move(run.responsibilities), {problem.rows.n_rows(), k}),
                          to_numpy(std::move(run.history)), run.n_iter, run.converged);
}

}  // namespace

void register_labels(py::module_& m) {
    py::class_<LabelEnsemble>(m, "LabelEnsemble", "Rows of labels or memberships for the consensus kernels.")
        .def(py::init<Labels, const Array<Index>&, std::optional<Doubles>, Doubles, Doubles>(),
             py::arg("labels").noconvert(), py::arg("n_classes").noconvert(),
             py::arg("memberships").noconvert(), py::arg("member_weights").noconvert(),
             py::arg("point_weights").noconvert())
        .def("seeded", &seeded_py, py::arg("k"), py::arg("seed"), py::arg("task"), py::arg("n_threads"),
             "A partition around k rows that differ much.")
        .def("nearest", &nearest_py, py::arg("modes").noconvert(), py::arg("n_threads"),
             "For every row the given row of labels it agrees with most.")
        .def("kmodes", &kmodes_py, py::arg("start").noconvert(), py::arg("k"), py::arg("max_iter"),
             py::arg("n_threads"), "k-modes: (labels, cost, n_iter, converged, history).")
        .def("improve_kmodes", &improve_kmodes_py, py::arg("start").noconvert(), py::arg("k"),
             py::arg("max_iter"), py::arg("n_swaps"), py::arg("seed"), py::arg("n_threads"),
             "k-modes, swaps of modes and single moves: (labels, cost, n_iter, converged, history).")
        .def("itk", &itk_py, py::arg("start").noconvert(), py::arg("k"), py::arg("max_iter"),
             py::arg("smoothing"), py::arg("n_threads"),
             "Information-theoretic k-means: (labels, divergence, n_iter, converged, history).")
        .def("qmi", &qmi_py, py::arg("start").noconvert(), py::arg("k"), py::arg("max_iter"),
             py::arg("n_threads"),
             "k-means on label indicators: (labels, inertia, n_iter, converged, history).")
        .def("mixture_partition", &mixture_partition_py, py::arg("start").noconvert(), py::arg("k"),
             py::arg("max_iter"), py::arg("smoothing"), py::arg("n_threads"),
             "Hard EM: (labels, minus log-likelihood, n_iter, converged, history).")
        .def("mixture", &mixture_py, py::arg("start").noconvert(), py::arg("k"), py::arg("max_iter"),
             py::arg("smoothing"), py::arg("tol"), py::arg("n_threads"),
             "EM: (responsibilities, log-likelihoods, n_iter, converged).");
}

}  // namespace intarsia::python
