#pragma once

#include <functional>

#include "reference/arithmetic/emulate.hpp"
#include "reference/problem/case_file.hpp"

namespace deltaproof {

/// The run of one head of one sequence.
using RunHead = std::function<Emulation(const Sequence& sequence, std::int64_t head)>;

/// The outputs of a kernel whose heads run as `run` says: o in the type of q, final_state in fp32, and in fp32
/// chunk_states after each `states_every` tokens if asked for. A state that no token changes stays as it was; rows of o
/// that belong to no judged sequence are zero.
Outputs assembled_outputs(const Problem& problem, const RunHead& run, bool with_states);

/// What a kernel of this order of roundings gives; of rule hola, whose order is that of its state path, with scores and
/// selected (emulated_hola.hpp). The problem must be one that can be emulated.
Outputs emulated_outputs(const Problem& problem, const Declared& declared, bool with_states);
/// The same of the built-in order of the problem's arithmetic.
Outputs emulated_outputs(const Problem& problem, bool with_states);

/// The chunk_states alone. `threads` 0: all cores.
Tensor emulated_states(const Problem& problem, const Resolved& resolved, int threads);

}  // namespace deltaproof
