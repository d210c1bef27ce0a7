#pragma once

#include <optional>
#include <string>
#include <vector>

#include "properties/accuracy/conformity.hpp"

namespace deltaproof {

/// A declaration that a run conforms to although another was declared.
struct Fit {
  Declared declared;
  std::string description;  ///< "the built-in fla-chunk (merge tf32_truncated instead of ieee)"
  Conformity conformity;    ///< over all units: no value outside PIN
};

/// Declarations that would fit, best first: those that the emulation gives every bit of, then those that PIN
/// alone cannot exclude. Tried: the built-in declarations of every text for the problem's rule, and those one
/// choice away from `context`'s declaration; if none fits, one choice away from the best of these, up to three
/// choices deep. `by_bits`: PIN holds already, fewer unequal bits are wanted.
std::vector<Fit> declarations_that_fit(const ConformityContext& context, const std::vector<Unit>& units,
                                       bool by_bits, int threads);

/// The layout that autotuning must have chosen, if the declaration's text leaves it one: the emulation of it gives
/// every bit. Nothing if none does. For runs that PIN has nothing against.
std::optional<Fit> autotuned_layout(const ConformityContext& context, const std::vector<Unit>& units, int threads);

/// How a declaration is named in messages: its text, and how it differs from the built-in one.
std::string describe_declared(const Declared& declared, Rule rule);

}  // namespace deltaproof
