#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "properties/regimes/families.hpp"

namespace deltaproof {

/// A change to a drawn tensor, to make a problem simpler to look at.
struct ValueEdit {
  enum class To { zero, one, power_of_two };  ///< power_of_two: each value towards zero to one, its sign kept
  std::string tensor;       ///< "q", "k", "v", "g", "beta", "eta", "initial_state", "gamma_q", ..
  To to = To::zero;
  std::int64_t token = -1;  ///< row on the T axis; -1: the whole tensor
  bool operator==(const ValueEdit&) const = default;
};

/// A generated problem before it is drawn: what shrinking works on, and what one line of text holds. The same spec
/// gives the same bits on every machine.
struct ProblemSpec {
  std::string regime = "typical";
  std::uint64_t seed = 0, index = 0;         ///< of what is drawn
  Metadata options = {{"rule", "gated_delta"}};  ///< metadata of its case: rule, chunk_size, scale, ..
  RegimeShape shape;                         ///< `tokens` of each row; with `lengths`, their sum; `chunk` from the options
  std::vector<std::int64_t> lengths;         ///< of packed sequences; empty: B rows
  bool pool = false;                         ///< states are rows of a pool, the second sequence is padding
  Dtype gates = Dtype::f32, writes = Dtype::f32;
  Dtype parameters = Dtype::f32;              ///< of hola: sink, cache_gate, gamma_q and gamma_k
  std::int64_t skip = 0;                     ///< tokens drawn in front of the first and left out
  std::vector<ValueEdit> edits;
};

/// The same with packed sequences of these lengths.
ProblemSpec packed(ProblemSpec spec, std::vector<std::int64_t> lengths);

/// Draws it; the kernel normalises q and k of hola if the options do not say otherwise. Throws InputError where the
/// spec makes no problem: an unknown regime, a tensor to edit that is not there.
Problem problem_of(const ProblemSpec& spec);

/// "regime=typical seed=0 index=3 rule=delta T=64 K=8 .. edit=v@3:zero": all that is not the default.
std::string to_text(const ProblemSpec& spec);
/// Throws InputError for text that is none, naming the word.
ProblemSpec parse_spec(std::string_view text);

}  // namespace deltaproof
