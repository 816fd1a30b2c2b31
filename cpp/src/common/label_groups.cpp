#include "intarsia/common/label_groups.hpp"

#include <string>

#include "intarsia/common/error.hpp"

namespace intarsia {

namespace {

void check_label(Label label, Index k) {
    if (label < 0 || label >= k)
        throw InvalidInput("label " + std::to_string(label) + " should be in [0, " + std::to_string(k) +
                           ").");
}

}  // namespace

void check_labels(std::span<const Label> labels, Index n_points, Index k) {
    if (std::ssize(labels) != n_points)
        throw InvalidInput("got " + std::to_string(labels.size()) + " labels, need one for each of " +
                           std::to_string(n_points) + " points.");
    for (Label label : labels) check_label(label, k);
}

Groups group_labels(std::span<const Label> labels, Index k) {
    Groups groups{std::vector<Index>(static_cast<std::size_t>(k) + 1, 0), std::vector<Point>(labels.size())};
    for (Label label : labels) {
        check_label(label, k);
        ++groups.offsets[static_cast<std::size_t>(label) + 1];
    }
    for (std::size_t c = 1; c < groups.offsets.size(); ++c) groups.offsets[c] += groups.offsets[c - 1];
    std::vector<Index> next(groups.offsets.begin(), groups.offsets.end() - 1);
    for (std::size_t i = 0; i < labels.size(); ++i)
        groups.members[static_cast<std::size_t>(next[static_cast<std::size_t>(labels[i])]++)] =
            static_cast<Point>(i);
    return groups;
}

}  // namespace intarsia
