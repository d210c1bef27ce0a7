#pragma once

#include <functional>
#include <string>
#include <utility>

#include "kernels/wrapped_kernel.hpp"

namespace deltaproof {

/// Runs a kernel in a wrong way: other inputs than it was given, or damaged outputs.
using RunWrongly = std::function<Outputs(const Kernel& right, const Problem& problem)>;

/// A kernel that says of itself what the right one does, and runs wrongly. The right one must outlive it.
class WrongKernel : public WrappedKernel {
 public:
  WrongKernel(const Kernel& right, RunWrongly run) : WrappedKernel(right), run_(std::move(run)) {}
  Outputs run(const Problem& problem) const override { return run_(inner(), problem); }

 private:
  RunWrongly run_;
};

/// Ways to be wrong, each a bug that was seen in real kernels. A way that means nothing for a problem runs it as it
/// is.
namespace wrong {

// Memory.
RunWrongly keeps_values_of_last_call();       ///< the first token's v is that of the call before
RunWrongly breaks_guard_zone_on_odd_sizes();  ///< KernelError where V is no multiple of 16

// Sequences.
RunWrongly ignores_boundaries();  ///< packed sequences run as one
RunWrongly clears_states_of_empty_sequences();
RunWrongly first_state_for_all();  ///< every sequence begins with the first one's state
RunWrongly reads_row_behind();     ///< the last of the T rows is read as the first
RunWrongly reads_next_token();     ///< v of token t + 1

// Heads and channels.
RunWrongly tiled_head_map();     ///< value head i reads key head i mod H
RunWrongly loses_last_column();  ///< v of the last channel is 0

// States.
RunWrongly ignores_initial_state();
RunWrongly ignores_layout();           ///< always [K, V]; only where K = V
RunWrongly row_n_for_sequence_n();     ///< state_indices are not read
RunWrongly starts_from(double value);  ///< an initial state that is not given is this
RunWrongly writes_unlisted_row();
RunWrongly skipped_is_row_0();  ///< -1 taken for row 0, where no sequence has that

// Values.
RunWrongly spreads_nan();   ///< one NaN in v and all of o is NaN
RunWrongly swallows_nan();  ///< NaN in v read as 0
RunWrongly adds_to(std::string tensor, double value);
RunWrongly clamps(std::string tensor, double most);  ///< to [-most, most]
RunWrongly makes_positive(std::string tensor);

}  // namespace wrong
}  // namespace deltaproof
