#include <memory>

#include "arrays.hpp"
#include "intarsia/cluster_overlap.hpp"
#include "intarsia/coassociation.hpp"
#include "intarsia/label_space.hpp"
#include "intarsia/linkage.hpp"
#include "intarsia/meta_clusters.hpp"
#include "intarsia/neighbour_graph.hpp"
#include "registers.hpp"

namespace intarsia::python {

namespace {

std::unique_ptr<Similarity> coassociation_py(const Array<Label>& queries, const Array<Label>& targets,
                                             const Array<double>& member_weights) {
    return coassociation(matrix(queries), matrix(targets), vector(member_weights));
}

std::unique_ptr<Similarity> label_space_py(const Array<float>& queries, const Array<float>& targets,
                                           const Array<float>& query_presence,
                                           const Array<float>& target_presence, bool decay, float scale) {
    return label_space_similarity({matrix(queries), matrix(targets), matrix(query_presence),
                                   matrix(target_presence), decay ? Finish::kDecay : Finish::kRatio, scale});
}

void check_range(const Similarity& similarity, Index i) {
    if (i < 0 || i >= similarity.n_queries()) throw InvalidInput("row should be in [0, n_queries)");
}

py::array_t<float> row_py(const Similarity& similarity, Index i) {
    check_range(similarity, i);
    std::vector<float> row;
    full_row(similarity, i, row);
    return to_numpy(std::move(row));
}

py::array_t<Label> best_targets_py(const Similarity& similarity, int n_threads) {
    std::vector<Label> best;
    {
        py::gil_scoped_release free_gil;
        best = best_targets(similarity, n_threads);
    }
    return to_numpy(std::move(best));
}

py::tuple top_neighbours_py(const Similarity& similarity, Index n_neighbours, int n_threads) {
    Neighbours found;
    {
        py::gil_scoped_release free_gil;
        found = top_neighbours(similarity, n_neighbours, n_threads);
    }
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
    MergeTree tree;
    {
        py::gil_scoped_release free_gil;
        std::vector<float> triangle = lower_triangle(similarity, n_threads);
        tree = agglomerate(triangle, sizes, kind);
    }
    return edges(std::move(tree));
}

py::tuple spanning_tree_py(const Similarity& similarity) {
    MergeTree tree;
    {
        py::gil_scoped_release free_gil;
        tree = spanning_tree(similarity);
    }
    return edges(std::move(tree));
}

py::array_t<double> square(std::vector<double>&& values, Index width) {
    return to_numpy(std::move(values), {width, width});
}

py::array_t<double> cluster_overlap_py(const Array<Label>& labels, const Array<Index>& offsets,
                                       const Array<double>& point_weights, int n_threads) {
    const auto l = matrix(labels);
    const auto o = vector(offsets);
    const auto w = vector(point_weights);
    std::vector<double> overlap;
    {
        py::gil_scoped_release free_gil;
        overlap = cluster_overlap(l, o, w, n_threads);
    }
    return square(std::move(overlap), o.back());
}

py::array_t<double> membership_gram_py(const Array<double>& memberships, const Array<double>& point_weights,
                                       int n_threads) {
    const auto s = matrix(memberships);
    const auto w = vector(point_weights);
    std::vector<double> gram;
    {
        py::gil_scoped_release free_gil;
        gram = membership_gram(s, w, n_threads);
    }
    return square(std::move(gram), s.n_cols());
}

py::array_t<double> unseen_squares_py(const Array<double>& memberships, const Array<Label>& labels,
                                      const Array<double>& point_weights) {
    const auto s = matrix(memberships);
    const auto l = matrix(labels);
    return to_numpy(unseen_squares(s, l, vector(point_weights)), {s.n_cols(), l.n_cols()});
}

py::array_t<double> meta_association_py(const Array<Label>& labels, const Array<Index>& offsets,
                                        const Array<double>& memberships, const Array<double>& member_weights,
                                        const Array<Label>& meta, Index k, int n_threads) {
    const Indicator indicator{matrix(labels), vector(offsets), matrix(memberships)};
    const auto weights = vector(member_weights);
    const auto groups = vector(meta);
    std::vector<double> association;
    {
        py::gil_scoped_release free_gil;
        association = meta_association(indicator, weights, groups, k, n_threads);
    }
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
    BipartiteCut found;
    {
        py::gil_scoped_release free_gil;
        found = refine_bipartite(indicator, wm, wp, start, k, max_weight, max_passes);
    }
    return py::make_tuple(to_numpy(std::move(found.parts)), to_numpy(std::move(found.meta)), found.cut);
}

}  // namespace

void register_graphs(py::module_& m) {
    py::class_<Similarity>(m, "Similarity",
                           "Similarities of query rows to target rows, computed when asked for.")
        .def("row", &row_py, py::arg("i"), "Similarities of query i to every target.");
    m.def("coassociation", &coassociation_py, py::arg("queries").noconvert(), py::arg("targets").noconvert(),
          py::arg("member_weights").noconvert(), "Share of members that put two rows together.");
    m.def("label_space", &label_space_py, py::arg("queries").noconvert(), py::arg("targets").noconvert(),
          py::arg("query_presence").noconvert(), py::arg("target_presence").noconvert(), py::arg("decay"),
          py::arg("scale"), "Products of rows, or the exponential decay of them.");
    m.def("best_targets", &best_targets_py, py::arg("similarity"), py::arg("n_threads"),
          "The most similar target of each query.");
    m.def("top_neighbours", &top_neighbours_py, py::arg("similarity"), py::arg("n_neighbours"),
          py::arg("n_threads"), "The most similar other rows of each row, and how similar they are.");
    m.def("agglomerate", &agglomerate_py, py::arg("similarity"), py::arg("weights").noconvert(),
          py::arg("linkage"), py::arg("n_threads"), "Dendrogram as the edges (a, b, similarity) of a tree.");
    m.def("spanning_tree", &spanning_tree_py, py::arg("similarity"),
          "Single link as the edges (a, b, similarity) of a maximum spanning tree.");
    m.def("cluster_overlap", &cluster_overlap_py, py::arg("labels").noconvert(),
          py::arg("offsets").noconvert(), py::arg("point_weights").noconvert(), py::arg("n_threads"),
          "Weight of the points in both of two input clusters.");
    m.def("membership_gram", &membership_gram_py, py::arg("memberships").noconvert(),
          py::arg("point_weights").noconvert(), py::arg("n_threads"),
          "Weighted products of membership columns.");
    m.def("unseen_squares", &unseen_squares_py, py::arg("memberships").noconvert(),
          py::arg("labels").noconvert(), py::arg("point_weights").noconvert(),
          "Squares of a membership column over the points that a member does not know.");
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

}  // namespace intarsia::python
