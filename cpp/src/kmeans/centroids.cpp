#include "intarsia/kmeans/centroids.hpp"

#include "intarsia/common/parallel.hpp"

namespace intarsia {

namespace {

constexpr Index kMembersPerBlock = 4096;

struct BlockTask {
    Label cluster;
    Index first;
    Index last;
};

std::vector<BlockTask> block_tasks(const Groups& clusters, std::span<const char> stale) {
    std::vector<BlockTask> tasks;
    for (Label c = 0; c < static_cast<Label>(stale.size()); ++c) {
        if (!stale[c]) continue;
        for (Index at = clusters.offsets[c]; at < clusters.offsets[c + 1]; at += kMembersPerBlock)
            tasks.push_back({c, at, std::min(at + kMembersPerBlock, clusters.offsets[c + 1])});
    }
    return tasks;
}

// sums[0..d-1] = weighted sum of the points, sums[d] = weight.
template <class T>
void sum_block(const WeightedPointsOf<T>& points, const Groups& clusters, const BlockTask& task,
               double* sums) {
    const Index d = points.n_dims();
    for (Index at = task.first; at < task.last; ++at) {
        const Index i = clusters.members[at];
        const T* row = points.row(i);
        const double w = points.weight(i);
        for (Index j = 0; j < d; ++j) sums[j] += w * static_cast<double>(row[j]);
        sums[d] += w;
    }
}

}  // namespace

template <class T>
void update_centroids(const WeightedPointsOf<T>& points, const Groups& clusters, std::span<const char> stale,
                      int n_threads, MatrixView<double> centres) {
    const Index d = points.n_dims();
    const auto tasks = block_tasks(clusters, stale);
    std::vector<double> sums(tasks.size() * static_cast<std::size_t>(d + 1), 0.0);
    const auto n_tasks = static_cast<Index>(tasks.size());
    for_chunks(
        n_tasks, n_threads,
        [&](Index begin, Index end) {
            for (Index t = begin; t < end; ++t)
                sum_block(points, clusters, tasks[t], sums.data() + t * (d + 1));
        },
        16);
    // Blocks of one cluster are neighbours in task order: fold the later ones into the first.
    for (Index t = 0; t < n_tasks;) {
        double* total = sums.data() + t * (d + 1);
        const Label c = tasks[t].cluster;
        for (++t; t < n_tasks && tasks[t].cluster == c; ++t)
            for (Index j = 0; j <= d; ++j) total[j] += sums[t * (d + 1) + j];
        if (total[d] > 0)
            for (Index j = 0; j < d; ++j) centres(c, j) = total[j] / total[d];
    }
}

template void update_centroids<double>(const WeightedPointsOf<double>&, const Groups&, std::span<const char>,
                                       int, MatrixView<double>);
template void update_centroids<float>(const WeightedPointsOf<float>&, const Groups&, std::span<const char>,
                                      int, MatrixView<double>);

}  // namespace intarsia
