#pragma once

#include <functional>
#include <string>

#include "properties/defects/published_rules.hpp"
#include "properties/runs/problem_spec.hpp"

/// Drawn problems on which statements about kernels are checked. Kernels are emulated to the bit: nothing is loaded.
namespace deltaproof::claims {

constexpr std::int64_t claim_chunk = 16;  ///< tokens of a chunk: the smallest that kernels have

/// One row of `tokens` tokens, rule gated_delta, K = V = 16, one key head, chunks of claim_chunk.
ProblemSpec row_of(std::int64_t tokens, const std::string& regime, std::uint64_t seed, bool initial_state = true);

/// The outputs of a kernel of that order of roundings: any name of `built_in` (reference/arithmetic/declared.hpp).
Outputs emulated(const std::string& arithmetic, const Problem& problem);

/// A problem with its right answer, in the order of the tensors of a run.
struct Drawn {
  explicit Drawn(const ProblemSpec& from);

  ProblemSpec spec;
  Problem problem;
  JudgedValues o, state;  ///< their `run` is empty
};

/// A rule that accepts or rejects one tensor.
using Accepts = std::function<bool(const JudgedValues&)>;
/// Both tensors pass.
bool accept_both(const Accepts& accepts, const Drawn& on, const Outputs& outputs);

}  // namespace deltaproof::claims
