#include "intarsia/kmeans/kmeans.hpp"

#include <algorithm>

#include "intarsia/common/error.hpp"
#include "intarsia/common/fill_empty.hpp"
#include "intarsia/common/parallel.hpp"
#include "intarsia/distance/distance.hpp"
#include "intarsia/kmeans/assignment.hpp"
#include "intarsia/kmeans/block_means.hpp"
#include "intarsia/kmeans/centroids.hpp"
#include "intarsia/kmeans/grouped_assignment.hpp"
#include "intarsia/kmeans/slack_assignment.hpp"

namespace intarsia {

namespace {

// Up to so many centres looking at all of them, many points at a time, is cheaper than bounds that avoid it.
constexpr Index kFewCentres = 256;

template <class T>
void check_shapes(const WeightedPointsOf<T>& points, MatrixView<const double> centres) {
    if (centres.n_cols() != points.n_dims())
        throw InvalidInput("centres and points differ in their number of features");
    if (centres.n_rows() < 1) throw InvalidInput("k-means needs at least one centre");
    check_weight_count(points.weights, points.n_points());
}

// Row by row: one column after another would read all points as often as there are columns.
template <class T>
double mean_variance(MatrixView<const T> x) {
    const Index n = x.n_rows(), d = x.n_cols();
    std::vector<double> mean(static_cast<std::size_t>(d), 0.0), square(mean);
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < d; ++j) mean[j] += static_cast<double>(x(i, j));
    for (double& m : mean) m /= static_cast<double>(n);
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < d; ++j) {
            const double t = static_cast<double>(x(i, j)) - mean[j];
            square[j] += t * t;
        }
    double total = 0;
    for (const double s : square) total += s / static_cast<double>(n);
    return total / static_cast<double>(d);
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

// Means of many clusters: all members are listed anew, clusters that gained or lost one are added up.
template <class T>
class MemberMeans {
  public:
    MemberMeans(const WeightedPointsOf<T>& points, Index n_clusters, int n_threads)
        : points_(points), n_clusters_(n_clusters), n_threads_(n_threads) {}

    void group(std::span<const Label> labels) { clusters_ = group_labels(labels, n_clusters_); }

    std::vector<Index> sizes() const {
        std::vector<Index> sizes;
        for (Index c = 0; c < n_clusters_; ++c) sizes.push_back(clusters_.size(c));
        return sizes;
    }

    void move(std::span<const char> stale, MatrixView<double> centres) const {
        update_centroids(points_, clusters_, stale, n_threads_, centres);
    }

  private:
    WeightedPointsOf<T> points_;
    Index n_clusters_;
    int n_threads_;
    Groups clusters_;
};

// True when some cluster had no point and took one.
template <class T, class Labelling>
bool refill_empty(const WeightedPointsOf<T>& points, MatrixView<const T> centres, Labelling& assignment,
                  std::vector<Index> sizes, std::vector<char>& touched) {
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

template <class T, class Labelling, class Means>
KMeansResult lloyd(const WeightedPointsOf<T>& points, MatrixView<const double> start,
                   const KMeansOptions& options, Labelling assignment, Means means) {
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
        const double began = deadline.seconds();
        ++result.n_iter;
        // Every centre must become a mean once, also one that no point ever leaves or joins.
        std::fill(touched.begin(), touched.end(), result.n_iter == 1);
        if (assignment.update(rounded.view(), touched) == 0) {
            result.converged = true;
            break;
        }
        means.group(assignment.labels());
        if (refill_empty(points, rounded.view(), assignment, means.sizes(), touched))
            means.group(assignment.labels());
        is_late = deadline.is_over_after(deadline.seconds() - began);  // another pass like this one
        if (is_late) break;  // labels and centres belong together here
        if (options.tol > 0) before = result.centres;
        means.move(touched, centres);
        rounded.refresh();
        if (options.tol > 0 && total_shift(before, result.centres) <= shift_limit) break;
    }
    if (!result.converged && !is_late) {
        // Labels must belong to the centres that are returned.
        assignment.update(rounded.view(), touched);
        means.group(assignment.labels());
        refill_empty(points, rounded.view(), assignment, means.sizes(), touched);
        result.converged = options.tol > 0 && result.n_iter < options.max_iter;
    }
    result.labels = std::move(assignment).take_labels();
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
    const Index k = start.n_rows();
    const int threads = options.n_threads;
    if (k <= kFewCentres)
        return lloyd(points, start, options, SlackAssignment<T>(points.x, k, threads),
                     BlockMeans<T>(points, k, threads));
    // In many dimensions groups of centres overlap too much to be told apart by a bound each.
    const MemberMeans<T> means(points, k, threads);
    if (points.n_dims() < CentreBlock<T>::kScreenDims)
        return lloyd(points, start, options, GroupedAssignment<T>(points.x, threads), means);
    return lloyd(points, start, options, Assignment<T>(points.x, k, threads), means);
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
    result.labels = std::move(assignment).take_labels();
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
