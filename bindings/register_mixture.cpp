#include <string>

#include "arrays.hpp"
#include "intarsia/mixture/annealed_means.hpp"
#include "intarsia/mixture/fuzzy.hpp"
#include "intarsia/mixture/gmm.hpp"
#include "registers.hpp"

namespace intarsia::python {

namespace {

using Doubles = Array<double>;

Covariance covariance_type(const std::string& name) {
    if (name == "full") return Covariance::kFull;
    if (name == "diag") return Covariance::kDiagonal;
    if (name == "spherical") return Covariance::kSpherical;
    throw InvalidInput("covariance_type should be 'full', 'diag' or 'spherical'.");
}

Gaussians read(const Doubles& weights, const Doubles& means, const Doubles& covariances,
               const std::string& type) {
    const auto m = matrix(means);
    Gaussians mixture(covariance_type(type), m.n_rows(), m.n_cols());
    if (weights.size() != mixture.k) throw InvalidInput("weights and means differ in length");
    if (covariances.size() != static_cast<py::ssize_t>(mixture.covariances.size()))
        throw InvalidInput("covariances have the wrong size for this covariance type");
    std::copy_n(weights.data(), weights.size(), mixture.weights.begin());
    std::copy_n(means.data(), means.size(), mixture.means.begin());
    std::copy_n(covariances.data(), covariances.size(), mixture.covariances.begin());
    return mixture;
}

py::tuple pack(Gaussians&& m) {
    std::vector<py::ssize_t> shape{m.k};
    if (m.type != Covariance::kSpherical) shape.push_back(m.d);
    if (m.type == Covariance::kFull) shape.push_back(m.d);
    return py::make_tuple(to_numpy(std::move(m.weights)), to_numpy(std::move(m.means), {m.k, m.d}),
                          to_numpy(std::move(m.covariances), std::move(shape)));
}

template <class T>
py::tuple from_labels_py(const Array<T>& x, const Weights& weights, const Array<Label>& labels, Index k,
                         const std::string& type, double reg_covar, int n_threads) {
    const auto points = weighted(x, weights);
    const auto start = vector(labels);
    const Covariance form = covariance_type(type);
    const GmmOptions options{.reg_covar = reg_covar, .n_threads = n_threads};
    return pack(without_gil([&] { return gmm_from_labels(points, start, k, form, options); }));
}

template <class T>
py::tuple from_responsibilities_py(const Array<T>& x, const Weights& weights, const Doubles& shares,
                                   const std::string& type, double reg_covar, int n_threads) {
    const auto points = weighted(x, weights);
    const auto r = matrix(shares);
    const Covariance form = covariance_type(type);
    const GmmOptions options{.reg_covar = reg_covar, .n_threads = n_threads};
    return pack(without_gil([&] { return gmm_from_responsibilities(points, r, form, options); }));
}

template <class T>
py::tuple gmm_py(const Array<T>& x, const Weights& sample_weight, const Doubles& weights,
                 const Doubles& means, const Doubles& covariances, const std::string& type, Index max_iter,
                 double tol, double reg_covar, int n_threads) {
    const auto points = weighted(x, sample_weight);
    const Gaussians start = read(weights, means, covariances, type);
    GmmResult result = without_gil([&] { return gmm(points, start, {max_iter, tol, reg_covar, n_threads}); });
    return pack(std::move(result.mixture)) +
           py::make_tuple(result.lower_bound, result.n_iter, result.converged);
}

template <class T>
py::tuple posteriors_py(const Array<T>& x, const Doubles& weights, const Doubles& means,
                        const Doubles& covariances, const std::string& type, int n_threads) {
    const auto points = matrix(x);
    const Gaussians mixture = read(weights, means, covariances, type);
    GmmPosteriors out = without_gil([&] { return gmm_posteriors(points, mixture, n_threads); });
    return py::make_tuple(to_numpy(std::move(out.responsibilities), {points.n_rows(), mixture.k}),
                          to_numpy(std::move(out.log_likelihoods)));
}

template <class T>
py::tuple fuzzy_py(const Array<T>& x, const Weights& weights, const Doubles& start, double fuzziness,
                   Index max_iter, double shift_limit, int n_threads) {
    const auto points = weighted(x, weights);
    const auto centres = matrix(start);
    FuzzyResult result = without_gil(
        [&] { return fuzzy_c_means(points, centres, {fuzziness, max_iter, shift_limit, n_threads}); });
    return py::make_tuple(to_numpy(std::move(result.centres), {centres.n_rows(), centres.n_cols()}),
                          result.objective, result.n_iter, result.converged);
}

template <class T>
Doubles memberships_py(const Array<T>& x, const Doubles& centres, double fuzziness, int n_threads,
                       const std::optional<Doubles>& out) {
    const auto points = matrix(x);
    const auto c = matrix(centres);
    Doubles memberships = out ? *out : Doubles({points.n_rows(), c.n_rows()});
    if (memberships.ndim() != 2) throw InvalidInput("expected a two-dimensional array");
    const MatrixView<double> to(memberships.mutable_data(), memberships.shape(0), memberships.shape(1));
    without_gil([&] { fuzzy_memberships(points, c, fuzziness, n_threads, to); });
    return memberships;
}

template <class T>
void register_precision(py::module_& m) {
    m.def("gmm_from_labels", &from_labels_py<T>, py::arg("x").noconvert(), py::arg("weights").noconvert(),
          py::arg("labels").noconvert(), py::arg("k"), py::arg("covariance_type"), py::arg("reg_covar"),
          py::arg("n_threads"), "Gaussians of the clusters of a partition: (weights, means, covariances).");
    m.def("gmm_from_responsibilities", &from_responsibilities_py<T>, py::arg("x").noconvert(),
          py::arg("weights").noconvert(), py::arg("responsibilities").noconvert(), py::arg("covariance_type"),
          py::arg("reg_covar"), py::arg("n_threads"),
          "Gaussians that fit given responsibilities: (weights, means, covariances).");
    m.def("gmm", &gmm_py<T>, py::arg("x").noconvert(), py::arg("sample_weight").noconvert(),
          py::arg("weights").noconvert(), py::arg("means").noconvert(), py::arg("covariances").noconvert(),
          py::arg("covariance_type"), py::arg("max_iter"), py::arg("tol"), py::arg("reg_covar"),
          py::arg("n_threads"), "EM: (weights, means, covariances, lower_bound, n_iter, converged).");
    m.def("gmm_posteriors", &posteriors_py<T>, py::arg("x").noconvert(), py::arg("weights").noconvert(),
          py::arg("means").noconvert(), py::arg("covariances").noconvert(), py::arg("covariance_type"),
          py::arg("n_threads"), "(responsibilities, log_likelihoods) of every point.");
    m.def("fuzzy_c_means", &fuzzy_py<T>, py::arg("x").noconvert(), py::arg("weights").noconvert(),
          py::arg("start").noconvert(), py::arg("fuzziness"), py::arg("max_iter"), py::arg("shift_limit"),
          py::arg("n_threads"), "Fuzzy c-means: (centres, objective, n_iter, converged).");
    m.def("fuzzy_memberships", &memberships_py<T>, py::arg("x").noconvert(), py::arg("centres").noconvert(),
          py::arg("fuzziness"), py::arg("n_threads"), py::arg("out").noconvert() = py::none(),
          "Memberships of every point for given centres; written into `out` where there is one.");
}

py::tuple annealed_moments_py(const Array<double>& x, const Weights& weights, const Array<double>& centres,
                              const Array<double>& shares, double temperature, bool with_products,
                              int n_threads) {
    const auto points = weighted(x, weights);
    const auto rows = matrix(centres);
    const auto parts = vector(shares);
    AnnealedMoments found = without_gil(
        [&] { return annealed_moments(points, rows, parts, temperature, with_products, n_threads); });
    return py::make_tuple(to_numpy(std::move(found.mass)), to_numpy(std::move(found.sums)),
                          to_numpy(std::move(found.products)));
}

}  // namespace

void register_mixture(py::module_& m) {
    m.def("annealed_moments", &annealed_moments_py, py::arg("x").noconvert(), py::arg("weights").noconvert(),
          py::arg("centres").noconvert(), py::arg("shares").noconvert(), py::arg("temperature"),
          py::arg("with_products"), py::arg("n_threads"),
          "What centres have of points at a temperature: flat (masses, sums, products about the centres).");
    register_precision<double>(m);
    register_precision<float>(m);
}

}  // namespace intarsia::python
