#include <optional>
#include <string>

#include "arrays.hpp"
#include "intarsia/consensus/itk.hpp"
#include "intarsia/consensus/kmodes.hpp"
#include "intarsia/consensus/label_seeding.hpp"
#include "intarsia/consensus/linkage.hpp"
#include "intarsia/consensus/meta_clusters.hpp"
#include "intarsia/consensus/multinomials.hpp"
#include "intarsia/consensus/neighbour_graph.hpp"
#include "intarsia/consensus/qmi.hpp"
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

/// Restarts may run side by side.
template <class Fn>
py::tuple run_free(Fn&& fn) {
    return pack(without_gil(fn));
}

py::array_t<Label> seeded_py(const LabelEnsemble& e, Index k, std::uint64_t seed, std::uint64_t task,
                             int n_threads) {
    const auto problem = e.problem(k, 1, n_threads);
    const auto labels = problem.rows.labels();
    return to_numpy(without_gil([&] {
        Rng rng(seed, Stage::kLabelSeeding, task);
        std::vector<Label> modes;
        for (Index i : seed_rows(problem, e.member_weights(), rng))
            modes.insert(modes.end(), labels.row(i), labels.row(i) + labels.n_cols());
        return nearest_modes(problem, e.member_weights(), {modes.data(), k, labels.n_cols()});
    }));
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
        Rng rng(seed, Stage::kLabelMoves);
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
    MixtureRun run =
        without_gil([&] { return mixture(problem, e.member_weights(), labels, {smoothing, tol}); });
    return py::make_tuple(to_numpy(std::move(run.responsibilities), {problem.rows.n_rows(), k}),
                          to_numpy(std::move(run.history)), run.n_iter, run.converged);
}

py::tuple top_neighbours_py(const Similarity& similarity, Index n_neighbours, int n_threads) {
    Neighbours found = without_gil([&] { return top_neighbours(similarity, n_neighbours, n_threads); });
    const std::vector<py::ssize_t> shape{similarity.n_queries(), n_neighbours};
    return py::make_tuple(to_numpy(std::move(found.rows), shape),
                          to_numpy(std::move(found.similarities), shape));
}

py::tuple edges(MergeTree&& tree) {
    return py::make_tuple(to_numpy(std::move(tree.a)), to_numpy(std::move(tree.b)),
                          to_numpy(std::move(tree.similarity)));
}

Linkage linkage_named(const std::string& name) {
    if (name == "single") return Linkage::kSingle;
    if (name == "average") return Linkage::kAverage;
    if (name == "complete") return Linkage::kComplete;
    throw InvalidInput("linkage should be single, average or complete");
}

py::tuple agglomerate_py(const Similarity& similarity, const Array<double>& weights,
                         const std::string& linkage, int n_threads) {
    const auto sizes = vector(weights);
    const Linkage kind = linkage_named(linkage);
    return edges(without_gil([&] {
        std::vector<float> triangle = lower_triangle(similarity, n_threads);
        return agglomerate(triangle, sizes, kind);
    }));
}

py::tuple spanning_tree_py(const Similarity& similarity) {
    return edges(without_gil([&] { return spanning_tree(similarity); }));
}

py::array_t<double> meta_association_py(const Array<Label>& labels, const Array<Index>& offsets,
                                        const Array<double>& memberships, const Array<double>& member_weights,
                                        const Array<Label>& meta, Index k, int n_threads) {
    const Indicator indicator{matrix(labels), vector(offsets), matrix(memberships)};
    const auto weights = vector(member_weights);
    const auto groups = vector(meta);
    auto association =
        without_gil([&] { return meta_association(indicator, weights, groups, k, n_threads); });
    return to_numpy(std::move(association), {indicator.n_rows(), k});
}

py::tuple refine_bipartite_py(const Array<Label>& labels, const Array<Index>& offsets,
                              const Array<double>& memberships, const Array<double>& member_weights,
                              const Array<double>& point_weights, const Array<Label>& parts, Index k,
                              double max_weight, int max_passes) {
    const Indicator indicator{matrix(labels), vector(offsets), matrix(memberships)};
    const auto wm = vector(member_weights);
    const auto wp = vector(point_weights);
    const auto start = vector(parts);
    BipartiteCut found =
        without_gil([&] { return refine_bipartite(indicator, wm, wp, start, k, max_weight, max_passes); });
    return py::make_tuple(to_numpy(std::move(found.parts)), to_numpy(std::move(found.meta)), found.cut);
}

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

void register_graphs(py::module_& m) {
    m.def("top_neighbours", &top_neighbours_py, py::arg("similarity"), py::arg("n_neighbours"),
          py::arg("n_threads"), "The most similar other rows of each row, and how similar they are.");
    m.def("agglomerate", &agglomerate_py, py::arg("similarity"), py::arg("weights").noconvert(),
          py::arg("linkage"), py::arg("n_threads"), "Dendrogram as the edges (a, b, similarity) of a tree.");
    m.def("spanning_tree", &spanning_tree_py, py::arg("similarity"),
          "Single link as the edges (a, b, similarity) of a maximum spanning tree.");
    m.def("meta_association", &meta_association_py, py::arg("labels").noconvert(),
          py::arg("offsets").noconvert(), py::arg("memberships").noconvert(),
          py::arg("member_weights").noconvert(), py::arg("meta").noconvert(), py::arg("k"),
          py::arg("n_threads"), "Mean association of each point with each meta-cluster.");
    m.def("refine_bipartite", &refine_bipartite_py, py::arg("labels").noconvert(),
          py::arg("offsets").noconvert(), py::arg("memberships").noconvert(),
          py::arg("member_weights").noconvert(), py::arg("point_weights").noconvert(),
          py::arg("parts").noconvert(), py::arg("k"), py::arg("max_weight"), py::arg("max_passes"),
          "Lower the cut of the graph of points and clusters: (parts, meta-clusters, cut).");
}

}  // namespace

void register_consensus(py::module_& m) {
    register_labels(m);
    register_graphs(m);
}

}  // namespace intarsia::python
