#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reference/arithmetic/bits.hpp"
#include "reference/problem/head.hpp"

namespace deltaproof {

/// What a declared kernel gives for a run of tokens of one head.
struct Emulation {
  MatrixF o;                    ///< tokens x V, rounded at Point::o
  std::vector<MatrixF> states;  ///< K x V in fp32 after each chunk; a partial last chunk counts
  MatrixF written;              ///< tokens x V: U = b e in fp32, of texts that have it (TextOutput::written)
  MatrixF residual;             ///< tokens x V: e, the same
};

/// Why `declared` cannot be emulated for this problem to the bit; empty if it can.
std::string no_emulation(const Declared& declared, const Options& options);
/// The same with what is known of kernels for its shape: layouts that were never recorded are not emulated.
std::string no_emulation(const Declared& declared, const Problem& problem);

/// Every bit of a kernel of the declared arithmetic, over `run` (inputs as stored, rows not normalised yet), from
/// its initial state (fp32 or narrower), in chunks of `chunk` tokens. `state_was_given`: the problem has an
/// initial state. The problem must be one that can be emulated.
Emulation emulate(const Resolved& resolved, const HeadInputs& run, Index chunk, bool state_was_given);

/// What a kernel makes of chunk `number` of a run, from 0.
using ReadChunk = std::function<TextOutput<Bits>(Index number, const TextInput<Bits>& in)>;

/// The same driver with `read` in the place of the declared text: the state that it returns enters the next chunk.
Emulation emulate_with(const Bits& bits, const HeadInputs& run, Index chunk, bool state_was_given,
                       const ReadChunk& read);

}  // namespace deltaproof
