#pragma once

#include <vector>

#include "properties/claims/hola_search.hpp"

namespace deltaproof::claims {

/// A token of the delta rule with decay. beta in [0, 1], alpha in (0, 1].
struct DeltaStep {
  RationalMatrix state;  ///< dk x dv, before the token
  RationalVector key, value, query;
  Rational beta = 1, alpha = 1;
};

std::vector<Named> inputs_of(const DeltaStep& step);

/// e = v - alpha S^T k, as Section 3.5 has it.
RationalVector residual(const DeltaStep& step);
/// Delta = beta k e^T.
RationalMatrix written(const DeltaStep& step);
/// alpha S + Delta.
RationalMatrix after(const DeltaStep& step);

/// All small ones with dk = dv = 1, some with dk = 2, smallest first; then random ones with up to 4 channels: half with
/// unit keys, a third without decay, a quarter that write what is already there, a quarter with a query orthogonal to
/// the key.
std::vector<DeltaStep> delta_steps(const Effort& effort);

using StepStatement = Universal<DeltaStep>;
using StepQuantity = Quantity<DeltaStep>;
using StepPremise = Premise<DeltaStep>;

/// "the key has norm 1".
StepPremise unit_key();
/// "alpha = 1".
StepPremise no_decay();
/// Both.
StepPremise unit_key_without_decay();

/// Checks the statement on `delta_steps`.
Check check_of(const StepStatement& statement);

}  // namespace deltaproof::claims
