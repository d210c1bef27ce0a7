#pragma once

#include "properties/accuracy/accuracy.hpp"
#include "properties/accuracy/judge_unit.hpp"
#include "properties/accuracy/rows.hpp"

namespace deltaproof {

/// Holds a run against how the errors of correct kernels of its family are spread (docs/advisory.md): each chunk
/// whose initial state is known exactly. `rows`: what the kernel does with rows that it normalises.
AdvisoryReport judge_spread(const JudgeContext& context, const std::vector<Unit>& units, Rows rows, int threads);

/// Writes the report into the verdict; `suspect` if it would pass although something was found.
void advise(AdvisoryReport report, Verdict& verdict);

}  // namespace deltaproof
