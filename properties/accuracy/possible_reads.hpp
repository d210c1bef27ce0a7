#pragma once

#include <vector>

#include "properties/accuracy/accuracy.hpp"
#include "properties/accuracy/judge_cache.hpp"
#include "properties/accuracy/judge_unit.hpp"

namespace deltaproof {

/// Where a kernel exported no sets and several are possible, takes for each block of the cache the set whose reads are
/// nearest to the kernel's `o`, in units of its bound. Returns whether any set is another one than before. `context`
/// reads with those that `findings` has.
bool take_possible_sets(const JudgeContext& context, const std::vector<Unit>& units, const AccuracyOptions& options,
                        CacheFindings& findings);

}  // namespace deltaproof
