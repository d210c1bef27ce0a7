#pragma once

#include "reference/arithmetic/hola_bits.hpp"
#include "reference/bounds/head_bound.hpp"

namespace deltaproof {

/// A head of rule `hola` as a built-in kernel runs it, the right answer, and the bound of what it writes.
struct HolaRun {
  HolaHead kernel;     ///< inputs, U and e, scores, rows
  HeadInputs state;    ///< the head under the rule of its state, with rows as the kernel has them
  HeadAnswer answer;   ///< of the state part: u, e
  HeadBound bound;     ///< with u
  HeadAnswer exact;    ///< of rule hola: scores

  Matrix scores() const;  ///< the kernel's, tokens x 1
};

struct HolaRunSpec {
  std::string_view regime = "rand_sig_gdn";
  const char* arithmetic = "deltaproof-recurrent";
  Rule state_rule = Rule::gated_delta;
  Dtype input = Dtype::bf16;
  CacheScore score = CacheScore::beta_e;
  Index tokens = 40, K = 16, V = 6, chunk = 16;
  Index w = 8, block = 16;
};

HolaRun run_hola(const HolaRunSpec& spec, std::uint64_t seed);

}  // namespace deltaproof
