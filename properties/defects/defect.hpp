#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "kernels/kernel.hpp"
#include "properties/defects/bug_class.hpp"
#include "properties/defects/fault.hpp"
#include "properties/defects/needs.hpp"
#include "properties/regimes/generator.hpp"
#include "reference/arithmetic/hola_bits.hpp"

namespace deltaproof {

/// Where in a kernel, or around it, a defect lies.
enum class Stage {
  output, gates, solve, values, state, attention, channels,
  reading,  ///< how the state is read
  norms,    ///< rows normalised, write coefficients formed in the kernel
  layout,   ///< head map, layout of states
  sequences, slots, tail,
  selection,  ///< scores of HOLA's entries and what its cache keeps
  cache_read, ///< how the cache is read
  none,     ///< nowhere: a control
};
const char* stage_name(Stage stage);

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
/// A whole run that misuses the problem: what a right kernel gives where it is asked something else.
using WrongRun = std::function<Outputs(const Problem&, const Kernel& right)>;

/// A known way in which a kernel, or what is recorded of it, can be wrong.
struct Defect {
  std::string_view id;
  Stage stage;
  BugClass bug_class;         ///< of the public reports that it stands for
  std::string_view sentence;  ///< in words
  std::string_view formula;   ///< what is computed instead; letters of docs/semantics.md
  std::variant<DamageOutputs, MakeFault, WrongRun, HolaFault> edit;
  Reach reach = Reach::everywhere;
  Needs needs = Needs::nothing;
  std::string_view equivalent = {};  ///< why it changes no bit of any run; empty: it does
  /// Why no rule on recordings in 16 bits is asked to see it; empty: one should.
  std::string_view below_rounding = {};
};

}  // namespace deltaproof
