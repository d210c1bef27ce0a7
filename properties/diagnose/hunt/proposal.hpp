#pragma once

#include <cstdint>

#include "properties/diagnose/hunt/hunt_state.hpp"
#include "properties/diagnose/hunt/spec_moves.hpp"

namespace deltaproof {

/// The candidate of evaluation `number`: one in four is drawn anew, the others are the worst ones so far with one to
/// three moves (of the objectives in turn; half of them the worst of a cell that is drawn, so that no rule and type is
/// given up). A function of its arguments. Candidates that make no problem, that the kernel refuses or that are out of the domain
/// (`in_domain`) are drawn again, at last from the family `typical`.
Candidate proposed(const HuntState& state, const HuntSpace& space, const Kernel& kernel, std::int64_t number);

/// Problem `number` of the family `typical`, as it is drawn.
Candidate typical_candidate(const HuntState& state, const HuntSpace& space, std::int64_t number);

/// The objectives of a search: the one it is confined to, or all.
std::vector<Objective> objectives_of(const HuntIdentity& identity);

}  // namespace deltaproof
