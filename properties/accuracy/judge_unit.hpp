#pragma once

#include <functional>
#include <string_view>

#include "properties/accuracy/comparison.hpp"
#include "properties/accuracy/units.hpp"

namespace deltaproof {

class ReadParts;

/// All that judging a unit needs besides the unit. Of rule `hola` the problem is that of the state.
struct JudgeContext {
  const Problem& problem;
  const Outputs& outputs;
  std::string_view arithmetic;
  BoundChoice choice;
  const TensorCoreModel& tensor_core;
  /// Called with each block that is compared, on the thread that judges it.
  std::function<void(const ComparedBlock&)> observe = {};
  const ReadParts* reads = nullptr;  ///< hola: what the cache adds to `o`
};

/// What was found in one unit.
struct UnitResult {
  Comparison comparison;
  int bits = 53;  ///< precision of the reference
};

/// Compares everything that the kernel put out in this unit with the certified answer and the bound.
/// `head`: the inputs of the unit's head, whole sequence.
UnitResult judge_unit(const JudgeContext& context, const Unit& unit, const HeadInputs& head);

/// The terms of the bound at `where`, which lies in the unit, largest first.
std::vector<BoundTerm> terms_at(const JudgeContext& context, const Unit& unit, const HeadInputs& head,
                                const Location& where);

}  // namespace deltaproof
