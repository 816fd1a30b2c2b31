#include "arrays.hpp"
#include "intarsia/ensemble/cluster_overlap.hpp"
#include "intarsia/ensemble/coassociation.hpp"
#include "intarsia/ensemble/contingency.hpp"
#include "intarsia/ensemble/label_space.hpp"
#include "intarsia/ensemble/pair_histogram.hpp"
#include "registers.hpp"

namespace intarsia::python {

namespace {

py::tuple contingency_py(const Array<Label>& a, const Array<Label>& b, const Weights& weights, Index n_a,
                         Index n_b, int n_threads) {
    const auto labels_a = vector(a);
    const auto labels_b = vector(b);
    const auto w = vector(weights);
    Contingency table = without_gil([&] { return contingency(labels_a, labels_b, w, n_a, n_b, n_threads); });
    return py::make_tuple(to_numpy(std::move(table.rows)), to_numpy(std::move(table.cols)),
                          to_numpy(std::move(table.counts)));
}

double expected_mutual_information_py(const Array<Index>& sizes_a, const Array<Index>& sizes_b) {
    const auto a = vector(sizes_a);
    const auto b = vector(sizes_b);
    return without_gil([&] { return expected_mutual_information(a, b); });
}

py::array_t<double> pairs_up_to_py(const Array<Label>& labels, const Array<double>& member_weights,
                                   const Array<double>& point_weights, const Array<double>& thresholds,
                                   int n_threads) {
    const WeightedRows rows{matrix(labels), vector(member_weights), vector(point_weights)};
    const auto limits = vector(thresholds);
    return to_numpy(without_gil([&] { return pairs_up_to(rows, limits, n_threads); }));
}

py::array_t<double> sampled_pairs_up_to_py(const Array<Label>& labels, const Array<double>& member_weights,
                                           const Array<double>& point_weights, const Array<Index>& first,
                                           const Array<Index>& second, const Array<double>& thresholds) {
    const WeightedRows rows{matrix(labels), vector(member_weights), vector(point_weights)};
    const auto i = vector(first);
    const auto j = vector(second);
    const auto limits = vector(thresholds);
    return to_numpy(without_gil([&] { return sampled_pairs_up_to(rows, i, j, limits); }));
}

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

py::array_t<float> row_py(const Similarity& similarity, Index i) {
    if (i < 0 || i >= similarity.n_queries()) throw InvalidInput("row should be in [0, n_queries)");
    std::vector<float> row;
    full_row(similarity, i, row);
    return to_numpy(std::move(row));
}

py::array_t<Label> best_targets_py(const Similarity& similarity, int n_threads) {
    return to_numpy(without_gil([&] { return best_targets(similarity, n_threads); }));
}

py::array_t<double> cluster_overlap_py(const Array<Label>& labels, const Array<Index>& offsets,
                                       const Array<double>& point_weights, int n_threads) {
    const auto l = matrix(labels);
    const auto o = vector(offsets);
    const auto w = vector(point_weights);
    auto overlap = without_gil([&] { return cluster_overlap(l, o, w, n_threads); });
    return to_numpy(std::move(overlap), {o.back(), o.back()});
}

py::array_t<double> membership_gram_py(const Array<double>& memberships, const Array<double>& point_weights,
                                       int n_threads) {
    const auto s = matrix(memberships);
    const auto w = vector(point_weights);
    auto gram = without_gil([&] { return membership_gram(s, w, n_threads); });
    return to_numpy(std::move(gram), {s.n_cols(), s.n_cols()});
}

py::array_t<double> unseen_squares_py(const Array<double>& memberships, const Array<Label>& labels,
                                      const Array<double>& point_weights) {
    const auto s = matrix(memberships);
    const auto l = matrix(labels);
    return to_numpy(unseen_squares(s, l, vector(point_weights)), {s.n_cols(), l.n_cols()});
}

void register_agreement(py::module_& m) {
    m.def("contingency", &contingency_py, py::arg("a").noconvert(), py::arg("b").noconvert(),
          py::arg("weights").noconvert(), py::arg("n_a"), py::arg("n_b"), py::arg("n_threads"),
          "Rows, columns and counts of the contingency table's cells that are not zero.");
    m.def("expected_mutual_information", &expected_mutual_information_py, py::arg("sizes_a").noconvert(),
          py::arg("sizes_b").noconvert(), "Mean mutual information of random partitions of these sizes.");
    m.def("pairs_up_to", &pairs_up_to_py, py::arg("labels").noconvert(),
          py::arg("member_weights").noconvert(), py::arg("point_weights").noconvert(),
          py::arg("thresholds").noconvert(), py::arg("n_threads"),
          "Number of point pairs with a co-association of at most each threshold.");
    m.def("sampled_pairs_up_to", &sampled_pairs_up_to_py, py::arg("labels").noconvert(),
          py::arg("member_weights").noconvert(), py::arg("point_weights").noconvert(),
          py::arg("first").noconvert(), py::arg("second").noconvert(), py::arg("thresholds").noconvert(),
          "The same for the given pairs of rows.");
}

void register_similarity(py::module_& m) {
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
}

void register_overlap(py::module_& m) {
    m.def("cluster_overlap", &cluster_overlap_py, py::arg("labels").noconvert(),
          py::arg("offsets").noconvert(), py::arg("point_weights").noconvert(), py::arg("n_threads"),
          "Weight of the points in both of two input clusters.");
    m.def("membership_gram", &membership_gram_py, py::arg("memberships").noconvert(),
          py::arg("point_weights").noconvert(), py::arg("n_threads"),
          "Weighted products of membership columns.");
    m.def("unseen_squares", &unseen_squares_py, py::arg("memberships").noconvert(),
          py::arg("labels").noconvert(), py::arg("point_weights").noconvert(),
          "Squares of a membership column over the points that a member does not know.");
}

}  // namespace

void register_ensemble(py::module_& m) {
    register_agreement(m);
    register_similarity(m);
    register_overlap(m);
}

}  // namespace intarsia::python
