#pragma once

#include <functional>
#include <limits>
#include <optional>

#include "properties/defects/fault.hpp"

namespace deltaproof {

/// What of a head's run is made, and from what. Nothing set: all of it, from the states that it makes itself.
struct HeadPart {
  Index first = 0, end = std::numeric_limits<Index>::max();  ///< chunks; of others o is 0, and what they leave the known state or theirs
  /// The state that enters a chunk in the place of that which the chunk before left; nothing: that one.
  std::function<std::optional<MatrixF>(Index chunk)> known_state = {};
  std::optional<Format> stored = {};  ///< type of o; nothing: that of the inputs
};

/// The run of one head of a declared kernel with a fault in it. `right`: the run without it, if it is known, which is
/// taken where the fault changes nothing; null: all is computed. `part`: of the run without it, too. The problem must be
/// one that can be emulated.
Emulation run_head(const Fault& fault, const Problem& problem, const Declared& declared, const Sequence& sequence,
                   std::int64_t head, const Emulation* right = nullptr, const HeadPart& part = {});

}  // namespace deltaproof
