#pragma once

#include <cstdint>
#include <functional>

#include "properties/diagnose/hunt/hunt_state.hpp"
#include "properties/diagnose/hunt/spec_moves.hpp"

namespace deltaproof {

/// Problems of the family `typical` that a search measures before anything else.
inline constexpr std::int64_t typical_problems = 48;

struct HuntRun {
  std::int64_t evaluations = 0;  ///< of the whole search, those of earlier runs among them
  int threads = 0;               ///< that run and judge candidates at a time; 0: all cores
  /// Asked before each evaluation, from any thread: true ends the search.
  std::function<bool()> stop = {};
  /// Told the state after each batch, on the calling thread.
  std::function<void(const HuntState&)> checkpoint = {};
};

/// Goes on with a search: measures the typical problems that are not measured yet, then evaluates what is proposed, until
/// there are so many evaluations or it is stopped. The state after so many evaluations does not depend on threads, nor on
/// where earlier runs ended. `kernel` is called from several threads at a time.
HuntState hunt(HuntState state, const HuntSpace& space, const Kernel& kernel, const HuntRun& run);

}  // namespace deltaproof
