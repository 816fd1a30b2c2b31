#pragma once

#include <chrono>
#include <functional>

namespace intarsia {

/// Asks whether to stop, not more often than is worth while: the question may have to wait for a lock.
class Listener {
  public:
    /// Without a question the answer is no, and no clock is read.
    explicit Listener(const std::function<bool()>& is_over) : is_over_(is_over), last_(Clock::now()) {}

    bool is_over() {
        if (!is_over_) return false;
        const auto now = Clock::now();
        if (std::chrono::duration<double>(now - last_).count() < kSecondsBetween) return false;
        last_ = now;
        return is_over_();
    }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr double kSecondsBetween = 0.1;
    const std::function<bool()>& is_over_;
    Clock::time_point last_;
};

}  // namespace intarsia
