#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "properties/defects/fault.hpp"
#include "properties/regimes/generator.hpp"
#include "reference/problem/case_file.hpp"

namespace deltaproof {

/// Where in a chunk kernel a defect lies.
enum class Stage { output, gates, solve, values, state, attention, channels };
const char* stage_name(Stage stage);

/// What a problem must have for a defect to mean anything.
enum class Needs { nothing, two_heads, two_chunks, two_columns, square_state, kla };

/// How much of a run a defect touches. Where it does not touch all, its place is drawn and its kills are a rate.
enum class Reach {
  everywhere,
  one_place,    ///< an element, a pair of tokens, a token
  one_channel,  ///< of all tokens
};

/// Damages outputs that were right, at a place drawn from the generator.
using DamageOutputs = std::function<void(const Problem&, Outputs&, Generator&)>;
/// A fault of the kernel that made the outputs, at a place drawn from the generator.
using MakeFault = std::function<Fault(const Problem&, Generator&)>;

/// A known way in which a kernel of text fla-chunk, or what is recorded of it, can be wrong.
struct Defect {
  std::string_view id;
  Stage stage;
  std::string_view sentence;  ///< in words
  std::string_view formula;   ///< what is computed instead; letters of docs/semantics.md
  std::variant<DamageOutputs, MakeFault> edit;
  Reach reach = Reach::everywhere;
  Needs needs = Needs::nothing;
  std::string_view equivalent = {};  ///< why no rule on outputs is asked to see it; empty: one should
};

}  // namespace deltaproof
