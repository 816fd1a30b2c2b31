#pragma once

#include <chrono>
#include <limits>

namespace intarsia {

inline constexpr double kNoLimit = std::numeric_limits<double>::infinity();

/// A moment after which work that can give what it has so far does so. Without a limit no clock is read: such
/// work is reproducible.
class Deadline {
  public:
    /// So many seconds from now.
    explicit Deadline(double seconds = kNoLimit) : seconds_(seconds), begin_(Clock::now()) {}

    bool is_over() const { return is_over_after(0); }

    /// Whether it will be over in so many seconds.
    bool is_over_after(double more) const { return seconds_ < kNoLimit && seconds() + more >= seconds_; }

    /// Seconds since it was made; 0 without a limit.
    double seconds() const {
        return seconds_ < kNoLimit ? std::chrono::duration<double>(Clock::now() - begin_).count() : 0;
    }

  private:
    using Clock = std::chrono::steady_clock;
    double seconds_;
    Clock::time_point begin_;
};

}  // namespace intarsia
