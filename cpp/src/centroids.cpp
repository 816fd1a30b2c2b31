#include "intarsia/centroids.hpp"

#include "intarsia/parallel.hpp"

namespace intarsia {

namespace {

constexpr Index kMembersPerBlock = 4096;

struct BlockTask {
    Label cluster;
    Index first;
    Index last;
};

std::vector<BlockTask> block_tasks(const Members& members, std::span<const char> stale) {
    std::vector<BlockTask> tasks;
    for (Label c = 0; c < static_cast<Label>(stale.size()); ++c) {
        if (!stale[c]) continue;
        for (Index at = members.offsets[c]; at < members.offsets[c + 1]; at += kMembersPerBlock)
            tasks.push_back({c, at, std::min(at + kMembersPerBlock, members.offsets[c + 1])});
    }
    return tasks;
}

// sums[0..d-1] = weighted sum of the points, sums[d] = weight.
template <class T>
void sum_block(MatrixView<const T> x, std::span<const double> weights, const Members& members,
               const BlockTask& task, double* sums) {
    const Index d = x.n_cols();
    for (Index at = task.first; at < task.last; ++at) {
        const Index i = members.points[at];
        const T* row = x.row(i);
        const double w = weights.empty() ? 1.0 : weights[i];
        for (Index j = 0; j < d; ++j) sums[j] += w * static_cast<double>(row[j]);
        sums[d] += w;
    }
}

}  // namespace

Members group_by_label(std::span<const Label> labels, Index n_clusters) {
    Members members;
    members.offsets.assign(static_cast<std::size_t>(n_clusters + 1), 0);
    for (Label c : labels) ++members.offsets[c + 1];
    for (Index c = 0; c < n_clusters; ++c) members.offsets[c + 1] += members.offsets[c];
    members.points.resize(labels.size());
    std::vector<Index> next(members.offsets.begin(), members.offsets.end() - 1);
    for (std::size_t i = 0; i < labels.size(); ++i)
        members.points[next[labels[i]]++] = static_cast<std::int32_t>(i);
    return members;
}

template <class T>
void update_centroids(MatrixView<const T> x, std::span<const double> weights, const Members& members,
                      std::span<const char> stale, int n_threads, MatrixView<double> centres) {
    const Index d = x.n_cols();
    const auto tasks = block_tasks(members, stale);
    std::vector<double> sums(tasks.size() * static_cast<std::size_t>(d + 1), 0.0);
    const auto n_tasks = static_cast<Index>(tasks.size());
    for_chunks(
        n_tasks, n_threads,
        [&](Index begin, Index end) {
            for (Index t = begin; t < end; ++t)
                sum_block(x, weights, members, tasks[t], sums.data() + t * (d + 1));
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

template void update_centroids<double>(MatrixView<const double>, std::span<const double>, const Members&,
                                       std::span<const char>, int, MatrixView<double>);
template void update_centroids<float>(MatrixView<const float>, std::span<const double>, const Members&,
                                      std::span<const char>, int, MatrixView<double>);

}  // namespace intarsia
