#pragma once

#include "properties/accuracy/emulated_outputs.hpp"
#include "reference/arithmetic/hola_bits.hpp"

namespace deltaproof {

/// What the built-in kernels `hola` and `hola_decode` give for a problem of rule `hola`, to the bit: o in the inputs'
/// type, final_state and (if asked for) chunk_states in fp32, scores in fp32, selected with rows best first and -1
/// behind. `declared`: the order of roundings of the state path, deltaproof-chunk or deltaproof-recurrent. Throws
/// std::runtime_error for a NaN score. Scores of tokens of no judged sequence are 0, their rows of selected -1.
Outputs emulated_hola(const Problem& problem, const Declared& declared, bool with_states);

/// The same with something wrong in it: in the cache, or in the run of the state path (`state` gives its U and o).
Outputs emulated_hola(const Problem& problem, const HolaFault& fault, const RunHead& state, bool with_states);

/// The state path of a head, with U of `fault` if it has one. Both are kept by reference.
RunHead hola_state(const Problem& state_part, const Declared& declared, const HolaFault& fault);

}  // namespace deltaproof
