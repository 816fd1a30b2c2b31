#include "intarsia/pool/column_pool.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "intarsia/common/error.hpp"

namespace intarsia {

namespace {

constexpr std::size_t kFirstTable = 1024;

// Columns from outside must be read safely before `add` can look at them.
void check_layout(const Columns& columns, Index n_origins) {
    const Index size = columns.size();
    const bool fits = n_origins == size && std::ssize(columns.offsets) == size + 1 &&
                      columns.offsets.front() == 0 && columns.offsets.back() == std::ssize(columns.members) &&
                      std::ranges::is_sorted(columns.offsets);
    if (!fits) throw InvalidInput("offsets, members, costs and origins of the columns do not fit together.");
}

}  // namespace

// SplitMix64's finaliser: neighbouring points get unrelated words.
std::uint64_t point_hash(Point point) {
    std::uint64_t z = (static_cast<std::uint64_t>(point) + 1) * 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

std::uint64_t members_hash(std::span<const Point> members) {
    std::uint64_t hash = 0;
    for (Point point : members) hash += point_hash(point);
    return hash;
}

ColumnPool::ColumnPool(Index n_points) : n_points_(n_points), table_(kFirstTable, 0) {
    if (n_points < 1 || n_points > std::numeric_limits<Point>::max()) {
        throw InvalidInput("n_points=" + std::to_string(n_points) + " should be in [1, 2147483647].");
    }
    offsets_.push_back(0);
}

void ColumnPool::check_members(std::span<const Point> members) const {
    if (members.empty()) throw InvalidInput("a column should have at least one member.");
    if (members.front() < 0 || members.back() >= n_points_) {
        throw InvalidInput("members should be in [0, " + std::to_string(n_points_) + ").");
    }
    if (std::adjacent_find(members.begin(), members.end(), std::greater_equal<>()) != members.end()) {
        throw InvalidInput("members should be strictly ascending.");
    }
}

std::size_t ColumnPool::slot_of(std::uint64_t hash, std::span<const Point> members) const {
    const std::size_t mask = table_.size() - 1;
    const Columns all = columns();
    std::size_t slot = hash & mask;
    for (; table_[slot] != 0; slot = (slot + 1) & mask) {
        const Index id = table_[slot] - 1;
        if (hashes_[id] == hash && std::ranges::equal(all[id], members)) break;
    }
    return slot;
}

void ColumnPool::grow_table() {
    const std::size_t mask = table_.size() * 2 - 1;
    table_.assign(mask + 1, 0);
    for (Index id = 0; id < size(); ++id) {
        std::size_t slot = hashes_[id] & mask;
        while (table_[slot] != 0) slot = (slot + 1) & mask;
        table_[slot] = static_cast<std::int32_t>(id + 1);
    }
}

ColumnPool::ColumnPool(const Columns& columns, std::span<const std::int32_t> origins)
    : ColumnPool(columns.n_points) {
    check_layout(columns, std::ssize(origins));
    members_.reserve(std::ssize(columns.members));
    for (Index j = 0; j < columns.size(); ++j) {
        const auto at = static_cast<std::size_t>(j);
        if (!add(columns[j], columns.costs[at], origins[at]).is_new)
            throw InvalidInput("column " + std::to_string(j) + " occurs twice.");
    }
}

Index ColumnPool::find(std::span<const Point> members) const {
    return Index{table_[slot_of(members_hash(members), members)]} - 1;
}

Added ColumnPool::add(std::span<const Point> members, double cost, std::int32_t origin) {
    check_members(members);
    return insert(members, members_hash(members), cost, origin);
}

Added ColumnPool::insert(std::span<const Point> members, std::uint64_t hash, double cost,
                         std::int32_t origin) {
    std::size_t slot = slot_of(hash, members);
    if (table_[slot] != 0) return {table_[slot] - 1, false};
    if (2 * static_cast<std::size_t>(size() + 1) > table_.size()) {
        grow_table();
        slot = slot_of(hash, members);
    }
    const Index id = size();
    table_[slot] = static_cast<std::int32_t>(id + 1);
    members_.append(members);
    offsets_.push_back(members_.size());
    costs_.push_back(cost);
    origins_.push_back(origin);
    hashes_.push_back(hash);
    return {id, true};
}

void ColumnPool::absorb(const ColumnPool& other, std::int32_t origin) {
    if (other.n_points() != n_points_) throw InvalidInput("the pools are over different points");
    const Columns columns = other.columns();
    members_.reserve(members_.size() + other.members_.size());
    for (Index j = 0; j < columns.size(); ++j)
        add(columns[j], columns.costs[static_cast<std::size_t>(j)], origin);
}

ColumnPool ColumnPool::subset(std::span<const Index> ids) const {
    if (std::ranges::any_of(ids, [&](Index id) { return id < 0 || id >= size(); })) {
        throw InvalidInput("column ids should be in [0, " + std::to_string(size()) + ").");
    }
    ColumnPool kept(n_points_);
    const Columns all = columns();
    Index n_members = 0;
    for (Index id : ids) n_members += std::ssize(all[id]);
    kept.members_.reserve(n_members);
    for (Index id : ids) kept.insert(all[id], hashes_[id], costs_[id], origins_[id]);
    return kept;
}

void ColumnPool::prune(std::span<const std::uint8_t> keep) {
    if (static_cast<Index>(keep.size()) != size()) {
        throw InvalidInput("keep has " + std::to_string(keep.size()) + " entries, the pool has " +
                           std::to_string(size()) + " columns.");
    }
    std::vector<Index> ids;
    for (Index id = 0; id < size(); ++id) {
        if (keep[static_cast<std::size_t>(id)]) ids.push_back(id);
    }
    // Fresh storage, not compaction in place: somebody may still look at the old one.
    *this = subset(ids);
}

Index ColumnPool::bytes() const {
    return offsets_.capacity() * Index{sizeof(Index)} + members_.capacity() * Index{sizeof(Point)} +
           costs_.capacity() * Index{sizeof(double)} + origins_.capacity() * Index{sizeof(std::int32_t)} +
           hashes_.capacity() * Index{sizeof(std::uint64_t)} +
           static_cast<Index>(table_.capacity()) * Index{sizeof(std::int32_t)};
}

}  // namespace intarsia
