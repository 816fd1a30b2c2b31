#include "arrays.hpp"
#include "intarsia/annealing/annealing.hpp"
#include "registers.hpp"

namespace intarsia::python {

namespace {

/// The arrays of an ensemble and the view of them that kernels take; it lives as long as the call.
struct EnsembleArrays {
    const Array<Label>& labels;
    const Array<Index>& n_classes;
    const Array<double>& member_weights;
    const Array<Count>& point_weights;

    LabelledEnsemble view() const {
        return {matrix(labels), vector(n_classes), vector(member_weights), vector(point_weights)};
    }
};

using Search = AnnealingResult (*)(MeanAgreement&, std::span<const Label>, const AnnealingOptions&);

template <Search search>
py::tuple search_py(const Array<Label>& labels, const Array<Index>& n_classes,
                    const Array<double>& member_weights, const Array<Count>& point_weights,
                    const Array<Label>& start, Index k, Measure measure, const AnnealingOptions& options) {
    const LabelledEnsemble ensemble = EnsembleArrays{labels, n_classes, member_weights, point_weights}.view();
    const auto from = vector(start);
    AnnealingResult r = without_gil([&] {  // chains run side by side
        const auto agreement = make_mean_agreement(measure, ensemble, k);
        return search(*agreement, from, options);
    });
    return py::make_tuple(to_numpy(std::move(r.labels)), r.value, to_numpy(std::move(r.history)), r.n_loops,
                          r.n_moves, r.converged);
}

double mean_agreement_py(const Array<Label>& labels, const Array<Index>& n_classes,
                         const Array<double>& member_weights, const Array<Count>& point_weights,
                         const Array<Label>& partition, Index k, Measure measure) {
    const LabelledEnsemble ensemble = EnsembleArrays{labels, n_classes, member_weights, point_weights}.view();
    const auto of = vector(partition);
    return without_gil([&] {
        const auto agreement = make_mean_agreement(measure, ensemble, k);
        agreement->load(of);
        return agreement->value();
    });
}

void register_enums(py::module_& m) {
    py::enum_<Measure>(m, "Measure")
        .value("CORRECTED_RAND", Measure::kCorrectedRand)
        .value("JACCARD", Measure::kJaccard)
        .value("WALLACE", Measure::kWallace)
        .value("NMI", Measure::kNmi);
    py::enum_<Acceptance>(m, "Acceptance")
        .value("THRESHOLD", Acceptance::kThreshold)
        .value("METROPOLIS", Acceptance::kMetropolis);
    py::enum_<Choice>(m, "Choice").value("FIRST", Choice::kFirst).value("BEST", Choice::kBest);
}

void register_options(py::module_& m) {
    py::class_<AnnealingOptions>(m, "AnnealingOptions", "The schedule of an annealing chain.")
        .def(py::init<>())
        .def_readwrite("temperature", &AnnealingOptions::temperature)
        .def_readwrite("start_share", &AnnealingOptions::start_share)
        .def_readwrite("cooling", &AnnealingOptions::cooling)
        .def_readwrite("threshold", &AnnealingOptions::threshold)
        .def_readwrite("acceptance", &AnnealingOptions::acceptance)
        .def_readwrite("choice", &AnnealingOptions::choice)
        .def_readwrite("patience", &AnnealingOptions::patience)
        .def_readwrite("idle_changes", &AnnealingOptions::idle_changes)
        .def_readwrite("max_loops", &AnnealingOptions::max_loops)
        .def_readwrite("batch", &AnnealingOptions::batch)
        .def_readwrite("allow_empty", &AnnealingOptions::allow_empty)
        .def_readwrite("n_threads", &AnnealingOptions::n_threads)
        .def_readwrite("seed", &AnnealingOptions::seed)
        .def_readwrite("chain", &AnnealingOptions::chain);
}

template <Search search>
void register_search(py::module_& m, const char* name, const char* what) {
    m.def(name, &search_py<search>, py::arg("labels").noconvert(), py::arg("n_classes").noconvert(),
          py::arg("member_weights").noconvert(), py::arg("point_weights").noconvert(),
          py::arg("start").noconvert(), py::arg("k"), py::arg("measure"), py::arg("options"), what);
}

}  // namespace

void register_annealing(py::module_& m) {
    register_enums(m);
    register_options(m);
    register_search<anneal>(m, "anneal",
                            "Simulated annealing: (labels, value, history, n_loops, n_moves, converged).");
    register_search<descend>(m, "descend", "Gains alone, to a local optimum; returns what anneal does.");
    m.def("mean_agreement", &mean_agreement_py, py::arg("labels").noconvert(),
          py::arg("n_classes").noconvert(), py::arg("member_weights").noconvert(),
          py::arg("point_weights").noconvert(), py::arg("partition").noconvert(), py::arg("k"),
          py::arg("measure"), "Mean agreement of a partition with the members.");
}

}  // namespace intarsia::python
