#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "intarsia/common/growing_buffer.hpp"
#include "intarsia/pool/columns.hpp"

namespace intarsia {

/// Order-free hash of a set of points; adding or taking away a point adds or subtracts its own hash.
std::uint64_t point_hash(Point point);
std::uint64_t members_hash(std::span<const Point> members);

struct Added {
    Index id;
    bool is_new;
};

/// The distinct clusters seen so far, each with its cost and the run it came from. Ids count up from 0
/// in order of arrival and change only by prune. Not safe to write from several threads.
class ColumnPool {
  public:
    static constexpr Index kAbsent = -1;

    explicit ColumnPool(Index n_points);
    /// A pool of these columns, checked as `add` checks them; one that occurs twice is refused.
    ColumnPool(const Columns& columns, std::span<const std::int32_t> origins);

    Index n_points() const { return n_points_; }
    Index size() const { return costs_.size(); }
    Columns columns() const { return {n_points_, offsets_.span(), members_.span(), costs_.span()}; }
    const GrowingBuffer<Index>& offsets() const { return offsets_; }
    const GrowingBuffer<Point>& members() const { return members_; }
    const GrowingBuffer<double>& costs() const { return costs_; }
    const GrowingBuffer<std::int32_t>& origins() const { return origins_; }

    /// The id of a column with exactly these members, or kAbsent.
    Index find(std::span<const Point> members) const;
    /// Members strictly ascending and not empty. A column already there keeps its cost and origin.
    Added add(std::span<const Point> members, double cost, std::int32_t origin);
    /// Makes room for so many more members, which takes no memory before they come.
    void reserve(Index n_members) { members_.reserve(members_.size() + n_members); }
    /// Adds every column of another pool over the same points, in its order, with one origin for all.
    void absorb(const ColumnPool& other, std::int32_t origin);
    /// A pool of these columns, in the order given (each id once).
    ColumnPool subset(std::span<const Index> ids) const;
    /// Keeps the marked columns, in order; earlier views keep showing the pool as it was.
    void prune(std::span<const std::uint8_t> keep);
    /// Bytes held by the pool, spare capacity included.
    Index bytes() const;

  private:
    void check_members(std::span<const Point> members) const;
    /// The slot where a column with this hash is, or where it would go.
    std::size_t slot_of(std::uint64_t hash, std::span<const Point> members) const;
    void grow_table();
    Added insert(std::span<const Point> members, std::uint64_t hash, double cost, std::int32_t origin);

    Index n_points_;
    GrowingBuffer<Index> offsets_;
    GrowingBuffer<Point> members_;
    GrowingBuffer<double> costs_;
    GrowingBuffer<std::int32_t> origins_;
    GrowingBuffer<std::uint64_t> hashes_;
    std::vector<std::int32_t> table_;  // open addressing: id + 1, 0 is free; at most half full
};

}  // namespace intarsia
