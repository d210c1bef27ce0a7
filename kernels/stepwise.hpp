#pragma once

#include <cstdint>

#include "kernels/bits.hpp"
#include "kernels/kernel.hpp"

namespace deltaproof {

/// A kernel's run with the states between its chunks, had through its public initial and final state.
struct SteppedRun {
  Outputs outputs;            ///< of the whole run; with chunk_states where every bit below agrees
  BitDifference difference;   ///< between o and final_state of the two runs
};

/// Runs the whole problem, then chunk after chunk (`states_every` tokens of every sequence at a time) from the
/// state before. If both give the same bits, the states in between are those of the whole run. From a state that is
/// not finite no piece begins: the whole run is then all that there is. Throws what `kernel.run` throws.
SteppedRun run_stepwise(const Kernel& kernel, const Problem& problem);

/// Whether a piece's values are validated: states on the way may be infinite.
enum class Values { checked, unchecked };

/// Tokens [begin, begin + count) of every sequence, cut off at its end, with `states` as the initial state.
Problem tokens_of(const Problem& problem, std::int64_t begin, std::int64_t count, const Tensor& states,
                  Values values = Values::checked);

/// The initial states, zeros if there are none.
Tensor initial_states(const Problem& problem);

/// Puts the token rows ([B, T, ..]) of such a piece where they lie in those of the whole problem.
void put_tokens(const Tensor& piece, const Problem& problem, std::int64_t begin, std::int64_t count, Tensor& whole);

}  // namespace deltaproof
