#pragma once

#include <cstdint>
#include <string>

#include "reference/arithmetic/emulate.hpp"
#include "reference/arithmetic/pin.hpp"

namespace deltaproof::arithmetic_tests {

/// Values against the sets they should lie in.
struct Containment {
  std::int64_t values = 0, outside = 0;
  std::int64_t known = 0;        ///< sets of finite radius
  std::int64_t unambiguous = 0;  ///< sets of one value
  std::string where;             ///< of the first value outside

  void add(const MatrixF& values_of_kernel, const SetBlock& sets, const std::string& place);
  void merge(const Containment& other);
};

/// Radii of the sets are divided by `shrink` (1: as they are).
struct Judged {
  Resolved kernel;    ///< what is emulated
  Resolved declared;  ///< what is said of it
  const TensorCoreModel* tensor_core = nullptr;
  double shrink = 1;
};

/// Every chunk from the state that the emulation had before it, and the whole run from its initial state.
Containment contain(const Judged& judged, const HeadInputs& head, bool state_was_given);

}  // namespace deltaproof::arithmetic_tests
