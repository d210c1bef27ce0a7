#pragma once

#include <string>

#include "reference/problem/problem.hpp"

namespace deltaproof {

/// What a problem must have for a defect to mean anything; several at once by `|`.
enum class Needs : unsigned {
  nothing = 0,
  two_heads = 1u << 0,       ///< value heads
  two_chunks = 1u << 1,      ///< in some sequence
  two_columns = 1u << 2,     ///< value channels
  square_state = 1u << 3,    ///< K = V
  oblong_state = 1u << 4,    ///< K other than V
  kla = 1u << 5,             ///< b = eta / (|k|^2 + eps), formed in the kernel or before it
  formed_write = 1u << 6,    ///< the same, formed in the kernel
  gates = 1u << 7,
  scalar_gates = 1u << 8,    ///< one a token
  writes = 1u << 9,          ///< a stored beta or eta
  residual = 1u << 10,
  initial_state = 1u << 11,
  normalised_q = 1u << 12,   ///< in the kernel
  normalised_k = 1u << 13,   ///< in the kernel
  grouped_heads = 1u << 14,  ///< two key heads, and more value heads than those
  two_sequences = 1u << 15,  ///< packed, of one token or more each
  empty_sequence = 1u << 16,
  pool = 1u << 17,           ///< of states
  padding = 1u << 18,        ///< a sequence that state_indices skips
  tail = 1u << 19,           ///< a sequence whose last chunk is not full
  inputs_fp32 = 1u << 20,
  inputs_bf16 = 1u << 21,
  two_tokens = 1u << 22,     ///< in some sequence
  unused_row = 1u << 23,     ///< of the pool
  cache = 1u << 24,          ///< hola, w at least 1
  two_blocks = 1u << 25,     ///< of the cache, in some sequence
  full_cache = 1u << 26,     ///< more tokens than it holds, before some block
  long_block = 1u << 27,     ///< two tokens of a sequence in one block
  open_gate = 1u << 28,      ///< the sigmoid of some head's gate is not 0 in fp32
  rms_read = 1u << 29,       ///< the read is an RMSNorm
  write_score = 1u << 30,    ///< the score is that of a write, b |e| or b |k| |e|
  tau = 1u << 31,            ///< tau is not 1
};

constexpr Needs operator|(Needs x, Needs y) {
  return static_cast<Needs>(static_cast<unsigned>(x) | static_cast<unsigned>(y));
}
constexpr bool includes(Needs all, Needs one) {
  return (static_cast<unsigned>(all) & static_cast<unsigned>(one)) != 0;
}

/// What the problem lacks of it, in words; empty if it has all.
std::string missing(Needs needs, const Problem& problem);

}  // namespace deltaproof
