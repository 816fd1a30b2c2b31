#include "intarsia/kmeans/kmeans.hpp"

#include <algorithm>

#include "intarsia/common/error.hpp"
#include "intarsia/common/fill_empty.hpp"
#include "intarsia/common/parallel.hpp"
#include "intarsia/distance/distance.hpp"
#include "intarsia/kmeans/assignment.hpp"
#include "intarsia/kmeans/centroids.hpp"
#include "intarsia/kmeans/grouped_assignment.hpp"

namespace intarsia {

namespace {

template <class T>
void check_shapes(const WeightedPointsOf<T>& points, MatrixView<const double> centres) {
    if (centres.n_cols() != points.n_dims())
        throw InvalidInput("centres and points differ in their number of features");
    if (centres.n_rows() < 1) throw InvalidInput("k-means needs at least one centre");
    check_weight_count(points.weights, points.n_points());
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

// True when some cluster had no point and took one.
template <class T, class Labelling>
bool refill_empty(const WeightedPointsOf<T>& points, MatrixView<const T> centres, Labelling& assignment,
                  const Groups& clusters, std::vector<char>& touched) {
    std::vector<Index> sizes(touched.size());
    for (std::size_t c = 0; c < sizes.size(); ++c) sizes[c] = clusters.size(static_cast<Index>(c));
    const auto labels = assignment.labels();
    const auto cost = [&](Index i) {
        return points.weight(i) * squared_distance(points.row(i), centres.row(labels[i]), points.n_dims());
    };
    return fill_empty(labels, std::move(sizes), cost, [&](Index i, Label to) {
               touched[labels[i]] = touched[to] = 1;
               assignment.force(i, to);
           }) > 0;
}

double total_shift(std::span<const double> before, std::span<const double> after) {
    return squared_distance(before.data(), after.data(), static_cast<Index>(before.size()));
}

// Weighted sum of squared distances of every point to the centre of its cluster.
template <class T>
double inertia(const WeightedPointsOf<T>& points, std::span<const Label> labels,
               MatrixView<const double> centres, int n_threads) {
    return sum_chunks(points.n_points(), n_threads, [&](Index begin, Index end) {
        double sum = 0;
        for (Index i = begin; i < end; ++i)
            sum +=
                points.weight(i) * squared_distance(centres.row(labels[i]), points.row(i), points.n_dims());
        return sum;
    });
}

template <class T, class Labelling>
KMeansResult lloyd(const WeightedPointsOf<T>& points, MatrixView<const double> start,
                   const KMeansOptions& options, Labelling assignment) {
    const Index k = start.n_rows();
    const Index d = points.n_dims();
    const double shift_limit = options.tol > 0 ? options.tol * mean_variance(points.x) : 0;

    KMeansResult result;
    result.centres.assign(start.data(), start.data() + k * d);
    const MatrixView<double> centres(result.centres.data(), k, d);
    RoundedCentres<T> rounded(centres);
    std::vector<char> touched(static_cast<std::size_t>(k));
    std::vector<double> before;
    const Deadline deadline(options.seconds);
    bool is_late = false;

    while (result.n_iter < options.max_iter && !result.converged) {
        ++result.n_iter;
        // Every centre must become a mean once, also one that no point ever leaves or joins.
        std::fill(touched.begin(), touched.end(), result.n_iter == 1);
        if (assignment.update(rounded.view(), touched) == 0) {
            result.converged = true;
            break;
        }
        Groups clusters = group_labels(assignment.labels(), k);
        if (refill_empty(points, rounded.view(), assignment, clusters, touched))
            clusters = group_labels(assignment.labels(), k);
        is_late = deadline.is_over();
        if (is_late) break;  // labels and centres belong together here
        if (options.tol > 0) before = result.centres;
        update_centroids(points, clusters, touched, options.n_threads, centres);
        rounded.refresh();
        if (options.tol > 0 && total_shift(before, result.centres) <= shift_limit) break;
    }
    if (!result.converged && !is_late) {
        // Labels must belong to the centres that are returned.
        assignment.update(rounded.view(), touched);
        refill_empty(points, rounded.view(), assignment, group_labels(assignment.labels(), k), touched);
        result.converged = options.tol > 0 && result.n_iter < options.max_iter;
    }
    result.labels.assign(assignment.labels().begin(), assignment.labels().end());
    result.inertia = inertia(points, result.labels, centres, options.n_threads);
    return result;
}

}  // namespace

template <class T>
KMeansResult kmeans(const WeightedPointsOf<T>& points, MatrixView<const double> start,
                    const KMeansOptions& options) {
    if (points.n_points() < 1 || points.n_dims() < 1)
        throw InvalidInput("k-means needs at least one point and one feature");
    check_shapes(points, start);
    if (start.n_rows() > points.n_points()) throw InvalidInput("n_clusters must be between 1 and n_samples");
    // In many dimensions groups of centres overlap too much to be told apart by a bound each.
    if (points.n_dims() < CentreBlock<T>::kScreenDims)
        return lloyd(points, start, options, GroupedAssignment<T>(points.x, options.n_threads));
    return lloyd(points, start, options, Assignment<T>(points.x, start.n_rows(), options.n_threads));
}

template <class T>
KMeansResult assign_to_centres(const WeightedPointsOf<T>& points, MatrixView<const double> centres,
                               int n_threads) {
    check_shapes(points, centres);
    KMeansResult result;
    result.centres.assign(centres.data(), centres.data() + centres.n_rows() * centres.n_cols());
    if (points.n_points() == 0) return result;
    const RoundedCentres<T> rounded(centres);
    Assignment<T> assignment(points.x, centres.n_rows(), n_threads);
    std::vector<char> touched(static_cast<std::size_t>(centres.n_rows()));
    assignment.update(rounded.view(), touched);
    result.labels.assign(assignment.labels().begin(), assignment.labels().end());
    result.inertia = inertia(points, result.labels, centres, n_threads);
    return result;
}

#define INTARSIA_INSTANTIATE(T)                                                           \
    template KMeansResult kmeans<T>(const WeightedPointsOf<T>&, MatrixView<const double>, \
                                    const KMeansOptions&);                                \
    template KMeansResult assign_to_centres<T>(const WeightedPointsOf<T>&, MatrixView<const double>, int);
INTARSIA_INSTANTIATE(double)
INTARSIA_INSTANTIATE(float)
#undef INTARSIA_INSTANTIATE

}  // namespace intarsia
