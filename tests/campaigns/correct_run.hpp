#pragma once

#include <cstdint>
#include <string>

#include "properties/regimes/families.hpp"
#include "reference/arithmetic/declared.hpp"
#include "reference/problem/problem.hpp"

namespace deltaproof::campaign {

/// What a correct kernel is held against.
enum class JudgedAs {
  built_in,  ///< it computes in the built-in order: against all of that
  declared,  ///< it computes in another order of the family and declares it: against all of that
  formats,   ///< in another order of the family, which it does not declare: by its arithmetic's formats alone
  generic,   ///< by what is assumed where nothing is declared
};
inline constexpr int judged_as_count = 4;
const char* judged_as_name(JudgedAs judged_as);

/// One run of the campaign: what is computed, by which correct kernel, and how it is judged.
struct CorrectRun {
  std::uint64_t campaign = 0, index = 0;  ///< which it is
  const Regime* regime = nullptr;
  Rule rule = Rule::gated_delta;
  JudgedAs judged_as = JudgedAs::built_in;
  Declared declared;       ///< the kernel's order; its text is the arithmetic
  std::string difference;  ///< from the built-in order
  std::uint64_t seed = 0;  ///< of the inputs
  RegimeShape shape;
  std::int64_t chunk_size = 64, states_every = 64;
  Dtype input = Dtype::bf16, stored = Dtype::bf16, beta = Dtype::f32;
  bool with_states = true;
};

/// Run `index` of a campaign: the same on every machine. Families of inputs take turns.
CorrectRun draw_run(std::uint64_t campaign, std::uint64_t index);

/// Its problem, under the arithmetic that it is judged by.
Problem problem_of(const CorrectRun& run);

/// All that was drawn, in lines of text.
std::string describe(const CorrectRun& run);

}  // namespace deltaproof::campaign
