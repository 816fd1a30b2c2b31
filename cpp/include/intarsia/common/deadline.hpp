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

    bool is_over() const {
        return seconds_ < kNoLimit &&
               std::chrono::duration<double>(Clock::now() - begin_).count() >= seconds_;
    }

  private:
    using Clock = std::chrono::steady_clock;
    double seconds_;
    Clock::time_point begin_;
};

}  // namespace intarsia
