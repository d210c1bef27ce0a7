#pragma once

#include "properties/accuracy/accuracy.hpp"
#include "properties/accuracy/judge_unit.hpp"
#include "properties/accuracy/rows.hpp"

namespace deltaproof {

/// Judges units on several threads, under one hypothesis on normalised rows. The result does not depend on the
/// number of threads. Rethrows what a unit threw.
UnitResult judge_units(const JudgeContext& context, const std::vector<Unit>& units,
                       const AccuracyOptions& options, Rows rows);

}  // namespace deltaproof
