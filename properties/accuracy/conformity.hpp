#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "properties/accuracy/comparison.hpp"
#include "properties/accuracy/units.hpp"
#include "reference/arithmetic/resolved.hpp"

namespace deltaproof {

/// How many bit patterns differ from those of the emulation.
struct BitCount {
  std::int64_t compared = 0, unequal = 0;
  Location first;  ///< of the unequal ones, in the order of the run

  void merge(const BitCount& other);
};

/// A unit with values outside PIN, or with unequal bits.
struct BadUnit {
  Unit unit;
  std::int64_t outside = 0, unequal = 0;
  std::int64_t first_outside = 0, first_unequal = 0;  ///< tokens of the sequence; 0 if there is none
};

class ReadParts;

/// How a run agrees with a declared order of roundings.
struct Conformity {
  Comparison pin;                ///< expected: centre, bound: radius
  std::int64_t unambiguous = 0;  ///< values that PIN knows to the bit
  BitCount bits;
  std::vector<BadUnit> bad;      ///< in no order

  void merge(const Conformity& other);
};

/// What outputs are held against: a declaration, applied to the problem's types.
struct ConformityContext {
  const Problem& problem;
  const Outputs& outputs;
  Resolved resolved;
  bool pin = true, bits = true;  ///< which of the two to work out
  /// Called with each block that is held against PIN, on the thread that does it.
  std::function<void(const ComparedBlock&)> observe = {};
  const ReadParts* reads = nullptr;  ///< hola: what the cache adds to `o`, of which the declared order knows nothing
};

/// What a kernel declares: an order of its own, or the built-in one of its arithmetic; nothing if there is none.
std::optional<Declared> declared_order(const Kernel& kernel, const Problem& problem);

/// The declaration as it applies to a problem and the type of its output.
Resolved resolve_for(const Problem& problem, const Outputs& outputs, const Declared& declared);

/// The type that a dtype's value is stored in, as the nearest of its numbers.
double stored_value(Dtype dtype, double x);

/// Holds the units against PIN and the emulation, each from the state it begins with. `threads` 0: all cores.
Conformity judge_conformity(const ConformityContext& context, const std::vector<Unit>& units, int threads,
                            const std::function<void(double)>& progress = {});

/// What a unit is judged from: its tokens of the head's inputs, and the state that it begins with.
HeadInputs inputs_of(const ConformityContext& context, const Unit& unit, const HeadInputs& head);

/// One unit by itself, from `inputs_of` it.
Conformity judge_unit_conformity(const ConformityContext& context, const Unit& unit, const HeadInputs& inputs);

}  // namespace deltaproof
