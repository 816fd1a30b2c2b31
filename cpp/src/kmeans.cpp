#include "intarsia/kmeans.hpp"

#include <algorithm>

#include "intarsia/assignment.hpp"
#include "intarsia/centroids.hpp"
#include "intarsia/distance.hpp"
#include "intarsia/error.hpp"
#include "intarsia/grouped_assignment.hpp"
#include "intarsia/parallel.hpp"

namespace intarsia {

namespace {

void check_shapes(Index n, Index d, std::span<const double> weights, MatrixView<const double> centres) {
    if (n < 1 || d < 1) throw InvalidInput("k-means needs at least one point and one feature");
    if (centres.n_cols() != d) throw InvalidInput("centres and points differ in their number of features");
    if (centres.n_rows() < 1 || centres.n_rows() > n)
        throw InvalidInput("n_clusters must be between 1 and n_samples");
    if (!weights.empty() && static_cast<Index>(weights.size()) != n)
        throw InvalidInput("weights and points differ in length");
}

double mean_variance(MatrixView<const double> x) {
    double total = 0;
    for (Index j = 0; j < x.n_cols(); ++j) {
        double mean = 0;
        double square = 0;
        for (Index i = 0; i < x.n_rows(); ++i) mean += x(i, j);
        mean /= static_cast<double>(x.n_rows());
        for (Index i = 0; i < x.n_rows(); ++i) square += (x(i, j) - mean) * (x(i, j) - mean);
        total += square / static_cast<double>(x.n_rows());
    }
    return total / static_cast<double>(x.n_cols());
}

double mean_variance(MatrixView<const float> x) {
    std::vector<double> wide(x.data(), x.data() + x.n_rows() * x.n_cols());
    return mean_variance(MatrixView<const double>(wide.data(), x.n_rows(), x.n_cols()));
}

// The centres in the precision of the points, which is what distances are measured in.
template <class T>
class RoundedCentres {
  public:
    explicit RoundedCentres(MatrixView<const double> exact)
        : exact_(exact), values_(exact.n_rows() * exact.n_cols()) {
        refresh();
    }
    void refresh() { std::copy_n(exact_.data(), values_.size(), values_.begin()); }
    MatrixView<const T> view() const { return {values_.data(), exact_.n_rows(), exact_.n_cols()}; }

  private:
    MatrixView<const double> exact_;
    std::vector<T> values_;
};

// The costliest point of a cluster that can spare one.
template <class T>
Index costliest_point(MatrixView<const T> x, std::span<const double> weights, MatrixView<const T> centres,
                      std::span<const Label> labels, std::span<const Index> sizes) {
    Index worst = -1;
    double most = -1;
    for (Index i = 0; i < x.n_rows(); ++i) {
        if (sizes[labels[i]] < 2) continue;
        const double cost = (weights.empty() ? 1.0 : weights[i]) *
                            squared_distance(x.row(i), centres.row(labels[i]), x.n_cols());
        if (cost > most) {
            most = cost;
            worst = i;
        }
    }
    return worst;
}

// True when some cluster had no point and took one.
template <class T, class Labelling>
bool refill_empty(MatrixView<const T> x, std::span<const double> weights, MatrixView<const T> centres,
                  Labelling& assignment, const Members& members, std::vector<char>& touched) {
    std::vector<Index> sizes(touched.size());
    for (Label c = 0; c < static_cast<Label>(sizes.size()); ++c)
        sizes[c] = static_cast<Index>(members.of(c).size());
    bool refilled = false;
    for (Label c = 0; c < static_cast<Label>(sizes.size()); ++c) {
        if (sizes[c] > 0) continue;
        const Index i = costliest_point(x, weights, centres, assignment.labels(), sizes);
        const Label donor = assignment.labels()[i];
        assignment.force(i, c);
        touched[donor] = touched[c] = 1;
        --sizes[donor];
        ++sizes[c];
        refilled = true;
    }
    return refilled;
}

double total_shift(std::span<const double> before, std::span<const double> after) {
    return squared_distance(before.data(), after.data(), static_cast<Index>(before.size()));
}

}  // namespace

template <class T>
double inertia(MatrixView<const T> x, std::span<const double> weights, std::span<const Label> labels,
               MatrixView<const double> centres, int n_threads) {
    const Index d = x.n_cols();
    return sum_chunks(x.n_rows(), n_threads, [&](Index begin, Index end) {
        double sum = 0;
        for (Index i = begin; i < end; ++i) {
            const double w = weights.empty() ? 1.0 : weights[i];
            sum += w * squared_distance(centres.row(labels[i]), x.row(i), d);
        }
        return sum;
    });
}

namespace {

template <class T, class Labelling>
KMeansResult lloyd(MatrixView<const T> x, std::span<const double> weights, MatrixView<const double> start,
                   const KMeansOptions& options, Labelling assignment) {
    const Index k = start.n_rows();
    const Index d = x.n_cols();
    const double shift_limit = options.tol > 0 ? options.tol * mean_variance(x) : 0;

    KMeansResult result;
    result.centres.assign(start.data(), start.data() + k * d);
    const MatrixView<double> centres(result.centres.data(), k, d);
    RoundedCentres<T> rounded(centres);
    std::vector<char> touched(static_cast<std::size_t>(k));
    std::vector<double> before;

    while (result.n_iter < options.max_iter && !result.converged) {
        ++result.n_iter;
        // Every centre must become a mean once, also one that no point ever leaves or joins.
        std::fill(touched.begin(), touched.end(), result.n_iter == 1);
        if (assignment.update(rounded.view(), touched) == 0) {
            result.converged = true;
            break;
        }
        Members members = group_by_label(assignment.labels(), k);
        if (refill_empty(x, weights, rounded.view(), assignment, members, touched))
            members = group_by_label(assignment.labels(), k);
        if (options.tol > 0) before = result.centres;
        update_centroids(x, weights, members, touched, options.n_threads, centres);
        rounded.refresh();
        if (options.tol > 0 && total_shift(before, result.centres) <= shift_limit) break;
    }
    if (!result.converged) {
        // Labels must belong to the centres that are returned.
        assignment.update(rounded.view(), touched);
        refill_empty(x, weights, rounded.view(), assignment, group_by_label(assignment.labels(), k), touched);
        result.converged = options.tol > 0 && result.n_iter < options.max_iter;
    }
    result.labels.assign(assignment.labels().begin(), assignment.labels().end());
    result.inertia = inertia(x, weights, std::span<const Label>(result.labels), centres, options.n_threads);
    return result;
}

}  // namespace

template <class T>
KMeansResult kmeans(MatrixView<const T> x, std::span<const double> weights, MatrixView<const double> start,
                    const KMeansOptions& options) {
    check_shapes(x.n_rows(), x.n_cols(), weights, start);
    // In many dimensions groups of centres overlap too much to be told apart by a bound each.
    if (x.n_cols() < CentreBlock<T>::kScreenDims)
        return lloyd(x, weights, start, options, GroupedAssignment<T>(x, options.n_threads));
    return lloyd(x, weights, start, options, Assignment<T>(x, start.n_rows(), options.n_threads));
}

template <class T>
KMeansResult assign_to_centres(MatrixView<const T> x, std::span<const double> weights,
                               MatrixView<const double> centres, int n_threads) {
    KMeansResult result;
    result.centres.assign(centres.data(), centres.data() + centres.n_rows() * centres.n_cols());
    if (x.n_rows() == 0) return result;
    const RoundedCentres<T> rounded(centres);
    Assignment<T> assignment(x, centres.n_rows(), n_threads);
    std::vector<char> touched(static_cast<std::size_t>(centres.n_rows()));
    assignment.update(rounded.view(), touched);
    result.labels.assign(assignment.labels().begin(), assignment.labels().end());
    result.inertia = inertia(x, weights, std::span<const Label>(result.labels), centres, n_threads);
    return result;
}

#define INTARSIA_INSTANTIATE(T)                                                                             \
    template double inertia<T>(MatrixView<const T>, std::span<const double>, std::span<const Label>,        \
                               MatrixView<const double>, int);                                              \
    template KMeansResult kmeans<T>(MatrixView<const T>, std::span<const double>, MatrixView<const double>, \
                                    const KMeansOptions&);                                                  \
    template KMeansResult assign_to_centres<T>(MatrixView<const T>, std::span<const double>,                \
                                               MatrixView<const double>, int);
INTARSIA_INSTANTIATE(double)
INTARSIA_INSTANTIATE(float)
#undef INTARSIA_INSTANTIATE

}  // namespace intarsia
