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

struct Fits {
  std::vector<Fit> found;
  bool cut_short = false;  ///< not everything was tried: the search had cost as much as it may
};

/// Declarations that would fit, best first: those that the emulation gives every bit of, then those that PIN
/// alone cannot exclude. Tried: the built-in declarations of every text for the problem's rule, and those one
/// choice away from `context`'s declaration; if none fits, one choice away from the best of these, up to three
/// choices deep. `found`: what `context` gives over all of `units`. `by_bits`: PIN holds already, fewer unequal bits
/// are wanted. The search is bounded: candidates are tried on a few units where `found` is bad, over no more
/// tokens in all than twice those of `units` (or 2^17), and at most three are held against all units.
Fits declarations_that_fit(const ConformityContext& context, const std::vector<Unit>& units, const Conformity& found,
                           bool by_bits, int threads);

/// The layout that autotuning must have chosen, if the declaration's text leaves it one: the emulation of it gives
/// every bit. Nothing if none does. For runs that PIN has nothing against.
std::optional<Fit> autotuned_layout(const ConformityContext& context, const std::vector<Unit>& units,
                                    const Conformity& found, int threads);

/// How a declaration is named in messages: the built-in one that is nearest to it, and how it differs from that.
std::string describe_declared(const Declared& declared, Rule rule);

}  // namespace deltaproof
