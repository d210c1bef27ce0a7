#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "properties/regimes/families.hpp"
#include "reference/problem/case_file.hpp"

namespace deltaproof {

/// A run of a kernel that remembers only the last `history` tokens: o_t and every state are computed in double from
/// those tokens alone and a zero state, and rounded once, o to the inputs' type and states to fp32. o, final_state
/// and chunk_states (after each states_every tokens). Problems of whole rows (B sequences) of the update family.
Outputs with_history(const Problem& problem, std::int64_t history);

/// A run that loses the state of every head before token `boundary` and is right in double otherwise.
Outputs with_lost_carry(const Problem& problem, std::int64_t boundary);

/// Histories that are tried on T tokens: 1, 2, 3, 4, 6, 8, 12, .. and T.
std::vector<std::int64_t> tried_histories(std::int64_t tokens);

/// What the inputs of a problem let one rule see.
struct RulePower {
  std::string rule;           ///< "LOC", "ADJ", or a published one
  std::int64_t shortest = 0;  ///< history that the rule accepts, with every longer one tried; 0: it rejects all
  bool says_nothing = false;  ///< of the whole history: the verdict is `uninformative`
  bool sees_lost_carry = false;
};

/// For each rule what it makes of short histories, and of a state lost before token `boundary`. LOC judges chunk by
/// chunk from the states that the kernel itself has; ADJ and the published rules judge o and the final state of the
/// whole run. The verdict is that of the bounds alone (docs/verdicts.md): no kernel that remembers everything in
/// double has the roundings of a declared order. Where it is `uninformative` it rejects nothing.
std::vector<RulePower> input_power(const Problem& problem, std::int64_t boundary);

/// The problem on which a family of inputs is measured: its usual rule (of a cache, that of the state) in bf16, one head, 256 tokens, K = V = 32,
/// chunks of 64, no initial state.
Problem power_problem(const Regime& regime, std::uint64_t seed);

}  // namespace deltaproof
