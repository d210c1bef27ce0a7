#pragma once

#include "reference/bounds/chunk_input.hpp"
#include "reference/bounds/local_bound.hpp"
#include "reference/oracle/answer.hpp"

namespace deltaproof {

/// Roundings of a token recurrence: one unit roundoff for every operation, dots summed in any order, fused or
/// not; the state is kept in the same precision.
struct TokenRounding {
  double u = u32;
  double exp_error = 0x1p-21;  ///< relative error of the exponential of a gate
};

/// The token recurrence within a run of C tokens, by the adjoint of each output and of each row of the final
/// state (docs/adj.md, Theorem 1). `slice` holds the tokens; `in` the same as coefficients, with the state. `written`: of
/// what each token writes, too.
LocalBound token_bound(const HeadInputs& slice, const ChunkInput& in, const TokenRounding& rounding,
                       bool apart, WrittenBound written = WrittenBound::none);

}  // namespace deltaproof
