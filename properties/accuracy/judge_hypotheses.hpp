#pragma once

#include <vector>

#include "properties/accuracy/accuracy.hpp"
#include "properties/accuracy/judge_unit.hpp"
#include "properties/accuracy/rows.hpp"

namespace deltaproof {

/// What was compared, under which hypothesis on rows that the kernel normalises.
struct Judged {
  Comparison comparison;
  Rows rows = Rows::as_given;
};

/// Holds the units against the bound under each hypothesis on what the kernel stores until one is satisfied, and fills the
/// verdict from that, or else from the nearest: numbers, outcome, and the terms of the bound at the worst place.
Judged judge_hypotheses(const JudgeContext& context, const std::vector<Unit>& units, const AccuracyOptions& options,
                        Verdict& verdict);

}  // namespace deltaproof
