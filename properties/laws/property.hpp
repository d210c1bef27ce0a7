#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "kernels/kernel.hpp"

namespace deltaproof {

/// What a property is put to.
struct Trial {
  const Problem& problem;  ///< one that the kernel computes
  const Kernel& kernel;
  std::uint64_t seed = 0;  ///< of what the property draws itself: where it splits, what it permutes
};

/// Something that is true of every right kernel: a law between runs, or of one run. GoogleTest, RapidCheck, the
/// command line and fuzzers put kernels to it through `check_property`.
struct Property {
  std::string_view name;      ///< "split"
  std::string_view sentence;  ///< "a run in two parts, with the state handed on, gives the bits of one run"
  /// Why it says nothing of this problem or kernel; empty if it does. Runs nothing.
  std::string (*why_not)(const Trial&);
  /// Runs the kernel and says in the verdict (whose names are filled in) whether the law holds. Throws what
  /// `kernel.run` throws.
  void (*check)(const Trial&, Verdict&);
};

/// All of them (properties/laws/table.cpp).
std::span<const Property* const> all_laws();
/// nullptr if the name is unknown.
const Property* find_law(std::string_view name);

/// Puts the kernel to the property. A problem that the kernel refuses, or of which the property says nothing, is
/// `skipped` with the reason; a fault of the kernel is `error`; a law that compared nothing is `uninformative`.
Verdict check_property(const Property& property, const Trial& trial);

}  // namespace deltaproof
