#pragma once

#include <string>
#include <vector>

#include "reference/arithmetic/sets.hpp"
#include "reference/problem/head.hpp"

namespace deltaproof {

/// Where the values of a kernel of the declared arithmetic lie (docs/pin.md).
struct PinnedRun {
  SetBlock o;                    ///< tokens x V, rounded at Point::o
  std::vector<SetBlock> states;  ///< K x V in fp32 after each chunk; a partial last chunk counts
};

/// Why there is no PIN for this problem; empty if there is.
std::string no_pin(const Declared& declared, const Options& options);

/// PIN over `run` (inputs as stored, rows not normalised yet) from its initial state, known within `state_error`
/// (0 x 0: exactly), in chunks of `chunk` tokens; each chunk starts from the set that the last one ended with.
PinnedRun pin(const Resolved& resolved, const TensorCoreModel& tensor_core, const HeadInputs& run, Index chunk,
              const Matrix& state_error, bool state_was_given);

}  // namespace deltaproof
