#pragma once

#include <stdexcept>

namespace intarsia {

/// The caller handed over something that cannot be worked with; the bindings turn it into ValueError.
class InvalidInput : public std::invalid_argument {
  public:
    using std::invalid_argument::invalid_argument;
};

}  // namespace intarsia
