#pragma once

#include <map>
#include <utility>

#include "properties/defects/fault.hpp"
#include "reference/arithmetic/emulate.hpp"
#include "reference/problem/case_file.hpp"

namespace deltaproof {

/// A kernel to the bit into which faults are put: each runs over whole sequences from the initial state, with the
/// states that it makes itself. The problem must be one that can be emulated.
class FaultyKernel {
 public:
  FaultyKernel(const Problem& problem, Declared declared);

  /// o, final_state and chunk_states with the fault.
  Outputs run(const Fault& fault) const;
  /// The same without one.
  Outputs run() const { return run(Fault{}); }

 private:
  using Place = std::pair<std::int64_t, std::int64_t>;  // sequence, head

  const Problem& problem_;
  Declared declared_;
  std::map<Place, Emulation> right_;  // what a fault in another head, or in a later chunk, leaves as it is
};

}  // namespace deltaproof
