#pragma once

#include <vector>

#include "properties/diagnose/explain/judged_run.hpp"

namespace deltaproof {

/// One wrong value, and which terms of its bound it is beyond.
struct BrokenTerms {
  Location where;
  double value = 0, expected = 0, error = 0, allowed = 0;
  std::vector<BoundTerm> terms;  ///< largest first; none where the bound has none
  std::int64_t exceeded = 0;     ///< of the terms, those that the error alone is beyond
};

/// Of an element of the map. Of a declared order's sets there are no terms.
BrokenTerms broken_terms(const JudgedRun& run, const MeasuredPlace& place, bool with_terms);

}  // namespace deltaproof
