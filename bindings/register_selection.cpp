#include "arrays.hpp"
#include "intarsia/selection/candidates.hpp"
#include "intarsia/selection/selection.hpp"
#include "intarsia/selection/stability.hpp"
#include "registers.hpp"

namespace intarsia::python {

namespace {

using Doubles = Array<double>;

CandidateView candidates_of(const Array<Index>& offsets, const Array<Point>& members) {
    if (offsets.size() == 0) throw InvalidInput("offsets should not be empty.");
    return {vector(offsets), vector(members)};
}

/// Converted once and kept: its views are of arrays that Python holds for it.
class Selection {
  public:
    Selection(Doubles goodness, Doubles overlap, Array<Index> offsets, Array<Point> members, Doubles n_points,
              double overlap_cost, double uncovered_cost, bool by_mean)
        : goodness_(std::move(goodness)),
          overlap_(std::move(overlap)),
          offsets_(std::move(offsets)),
          members_(std::move(members)),
          n_points_(std::move(n_points)),
          problem_{vector(goodness_),
                   matrix(overlap_),
                   candidates_of(offsets_, members_),
                   vector(n_points_),
                   overlap_cost,
                   uncovered_cost,
                   by_mean} {
        check_selection(problem_);
    }

    double objective(const Array<Point>& chosen) const {
        const auto which = vector(chosen);
        return without_gil([&] { return selection_objective(problem_, which); });
    }

    py::tuple hill_climb_py(Index least, Index most, Index n_starts, std::uint64_t seed,
                            int n_threads) const {
        auto found =
            without_gil([&] { return hill_climb(problem_, least, most, n_starts, seed, n_threads); });
        return py::make_tuple(to_numpy(std::move(found.chosen)), found.objective, found.n_hits,
                              found.n_moves);
    }

  private:
    Doubles goodness_, overlap_;
    Array<Index> offsets_;
    Array<Point> members_;
    Doubles n_points_;
    SelectionProblem problem_;
};

py::array_t<double> cluster_stability_py(const Array<Label>& reference, Index k, const Array<Label>& other,
                                         Index k_other) {
    const auto a = vector(reference);
    const auto b = vector(other);
    return to_numpy(without_gil([&] { return cluster_stability(a, k, b, k_other); }));
}

py::array_t<Index> shared_points_py(const Array<Index>& offsets, const Array<Point>& members, Index n_points,
                                    int n_threads) {
    const auto candidates = candidates_of(offsets, members);
    auto shared = without_gil([&] { return shared_points(candidates, n_points, n_threads); });
    return to_numpy(std::move(shared), {candidates.size(), candidates.size()});
}

py::array_t<Point> membership_patterns_py(const Array<Index>& offsets, const Array<Point>& members,
                                          Index n_points) {
    const auto candidates = candidates_of(offsets, members);
    return to_numpy(without_gil([&] { return membership_patterns(candidates, n_points); }));
}

}  // namespace

void register_selection(py::module_& m) {
    m.def("cluster_stability", &cluster_stability_py, py::arg("reference").noconvert(), py::arg("k"),
          py::arg("other").noconvert(), py::arg("k_other"),
          "How well each cluster of a partition is found again in another one.");
    m.def("shared_points", &shared_points_py, py::arg("offsets").noconvert(), py::arg("members").noconvert(),
          py::arg("n_points"), py::arg("n_threads"), "Points that each pair of candidates shares.");
    m.def("membership_patterns", &membership_patterns_py, py::arg("offsets").noconvert(),
          py::arg("members").noconvert(), py::arg("n_points"),
          "Equal numbers for points that lie in the same candidates.");
    py::class_<Selection>(m, "Selection", "Which candidate clusters to choose.")
        .def(py::init<Doubles, Doubles, Array<Index>, Array<Point>, Doubles, double, double, bool>(),
             py::arg("goodness").noconvert(), py::arg("overlap").noconvert(), py::arg("offsets").noconvert(),
             py::arg("members").noconvert(), py::arg("n_points").noconvert(), py::arg("overlap_cost"),
             py::arg("uncovered_cost"), py::arg("by_mean"))
        .def("objective", &Selection::objective, py::arg("chosen").noconvert(),
             "Objective of some candidates, each named once.")
        .def("hill_climb", &Selection::hill_climb_py, py::arg("least"), py::arg("most"), py::arg("n_starts"),
             py::arg("seed"), py::arg("n_threads"), "Best end of descents from random choices.");
}

}  // namespace intarsia::python
