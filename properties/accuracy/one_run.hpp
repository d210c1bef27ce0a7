#pragma once

#include <optional>

#include "kernels/kernel.hpp"
#include "reference/verdict.hpp"

namespace deltaproof {

/// `final_state` and the last of a sequence's `chunk_states` are one state of one run: where both are stored in
/// one type they must have the same bits (docs/recording.md). The first place where they have not.
std::optional<Location> first_contradiction(const Problem& problem, const Outputs& outputs);

}  // namespace deltaproof
