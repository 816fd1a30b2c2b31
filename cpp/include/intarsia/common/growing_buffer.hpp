#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "intarsia/common/types.hpp"

namespace intarsia {

/// An append-only array whose old storage outlives growth for as long as somebody shares it:
/// a view taken earlier stays a valid snapshot, because written elements never change.
template <class T>
class GrowingBuffer {
  public:
    GrowingBuffer() = default;
    /// A copy shares the storage until it grows: the spare room behind its end belongs to the original.
    GrowingBuffer(const GrowingBuffer& other)
        : data_(other.data_), size_(other.size_), capacity_(other.size_) {}
    GrowingBuffer(GrowingBuffer&&) noexcept = default;
    GrowingBuffer& operator=(GrowingBuffer other) noexcept {
        data_ = std::move(other.data_);
        size_ = other.size_;
        capacity_ = other.capacity_;
        return *this;
    }

    Index size() const { return size_; }
    Index capacity() const { return capacity_; }
    const T* data() const { return data_.get(); }
    const T& operator[](Index i) const { return data_[i]; }
    std::span<const T> span() const { return {data_.get(), static_cast<std::size_t>(size_)}; }
    /// Whoever keeps this keeps the present storage alive.
    std::shared_ptr<const T[]> share() const { return data_; }

    void push_back(T value) {
        reserve(size_ + 1);
        data_[size_++] = value;
    }

    void append(std::span<const T> values) {
        reserve(size_ + static_cast<Index>(values.size()));
        std::copy(values.begin(), values.end(), data_.get() + size_);
        size_ += static_cast<Index>(values.size());
    }

    /// Grows by half, not by doubling: old and new storage together stay below 2.5 times the content.
    void reserve(Index needed) {
        if (needed <= capacity_) return;
        const Index grown = std::max({needed, capacity_ + capacity_ / 2, Index{64}});
        auto fresh = std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(grown));
        std::copy(data_.get(), data_.get() + size_, fresh.get());
        data_ = std::move(fresh);
        capacity_ = grown;
    }

  private:
    std::shared_ptr<T[]> data_;
    Index size_ = 0;
    Index capacity_ = 0;
};

}  // namespace intarsia
