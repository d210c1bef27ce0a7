#pragma once

#include <vector>

#include "properties/accuracy/accuracy.hpp"
#include "properties/accuracy/conformity.hpp"
#include "reference/verdict.hpp"

namespace deltaproof {

/// Everything of the declaration that applies to this problem: which of PIN and the emulation there is.
ConformityContext conformity_context(const Problem& problem, const Outputs& outputs, const Declared& declared);

/// Writes what was found into the verdict, without deciding anything. `context` has the layout of `declared` that
/// autotuning chose, or `declared` itself.
void report_conformity(const Declared& declared, const ConformityContext& context, const Conformity& conformity,
                       Verdict& verdict);

/// What conformity adds to a verdict by LOC or ADJ: `nonconforming` where PIN is broken, with the declarations
/// that would fit; `passed` where the right answer's bound accepts a wrong answer that PIN rejects; `suspect`
/// where PIN holds and bits differ. `comparison`: by LOC or ADJ.
void conclude(const ConformityContext& context, const std::vector<Unit>& units, const Comparison& comparison,
              const Conformity& conformity, const AccuracyOptions& options, Verdict& verdict);

}  // namespace deltaproof
