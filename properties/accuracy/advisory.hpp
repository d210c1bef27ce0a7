#pragma once

#include <functional>
#include <string>

#include "properties/accuracy/accuracy.hpp"
#include "properties/accuracy/rows.hpp"
#include "properties/accuracy/unit_spread.hpp"
#include "reference/arithmetic/declared.hpp"

namespace deltaproof {

/// Holds a run against how the errors of correct kernels of its family are spread (docs/advisory.md): each chunk
/// whose initial state is known exactly. `rows`: what the kernel does with rows that it normalises.
AdvisoryReport judge_spread(const JudgeContext& context, const std::vector<Unit>& units, Rows rows, int threads);

/// The spread of all units together; `unit_spread` says what the two arguments are.
using SpreadOfUnits = std::function<Spread(double limit, bool with_correlation)>;
/// The same for a caller that finds the spread of the units itself.
AdvisoryReport judge_spread(const JudgeContext& context, const std::vector<Unit>& units,
                            const SpreadOfUnits& spread_of);

/// How a declared order truncates a rounding point that the built-in one of its text rounds, or leaves it to a dot
/// that does: a bias that the tier does not model (docs/advisory.md, 4). Empty if it does not.
std::string declared_truncation(const Declared& declared, Rule rule);

/// Writes the report into the verdict: `suspect` if it would pass although something was found; a note if every bit is
/// the declared order's, which proves more than chance can.
void advise(AdvisoryReport report, Verdict& verdict);

}  // namespace deltaproof
