#pragma once

#include <vector>

#include "kernels/kernel.hpp"
#include "reference/bounds/head_bound.hpp"

namespace deltaproof {

/// A run of tokens of one head that is judged from an exactly known state: a whole sequence, or, where the
/// kernel's own states are recorded, the tokens between two of them (teacher forcing).
struct Unit {
  const Sequence* sequence = nullptr;
  std::int64_t head = 0;
  std::int64_t begin = 0, length = 0;  ///< tokens, from the start of the sequence
  std::int64_t known_state = -1;       ///< which state of its sequence, from 0, it begins with; -1: the problem's
};

/// Whether there are chunk_states of a type that holds fp32.
bool states_hold_fp32(const Outputs& outputs);

/// Whether the kernel's recorded states can be taken as its exact internal states.
bool states_are_exact(const BoundChoice& choice, const Outputs& outputs);

/// What a verdict calls the bound: "LOC", "ADJ", "ADJ (token recurrence)", "fp64", "LOC (generic, assumed)".
std::string bound_name(const BoundChoice& choice, bool teacher_forced);

/// All units of a run, in order; padding sequences have none.
std::vector<Unit> plan_units(const Problem& problem, const Outputs& outputs, const BoundChoice& choice);

/// The unit with a token of `o`, or that ends with or has within it a state; nullptr: none.
const Unit* unit_at(const std::vector<Unit>& units, const Location& where);

/// A share of the units, chosen by `seed`, with at least one of each (sequence, head).
std::vector<Unit> sample_units(const std::vector<Unit>& units, double share, std::uint64_t seed);

}  // namespace deltaproof
