#pragma once

#include <string>
#include <vector>

#include "properties/diagnose/shrink/search.hpp"

namespace deltaproof {

/// What came of shrinking a case.
struct ShrunkCase {
  JudgedCase smallest;            ///< judged in full; the case itself if nothing smaller fails, or if it does not fail
  Failure failure;                ///< of the case
  CaseSize before, after;
  std::int64_t tried = 0, taken = 0;
  std::string why_over;           ///< why the search ended early; empty: nothing smaller that it knows of fails
  std::vector<std::string> kept;  ///< of a recorded run: sentences on what cannot be taken out of it

  bool fails() const { return is_failure(smallest.verdict.status); }
};

/// The smallest case that fails in the way `run` does: with the same status, property, bound and kind of reason, its
/// first bad value in the same tensor, at the same stage. Where the judge runs a kernel, problems change; of a recorded
/// run parts are taken out, bit for bit. The order is fixed, so that the result hangs on `run` alone unless limits end
/// the search. Outputs of `run` are needed for recorded runs alone. Throws InputError for what cannot be judged.
ShrunkCase shrink_case(RunCase run, const CaseJudge& judge, const ShrinkLimits& limits = {});

}  // namespace deltaproof
