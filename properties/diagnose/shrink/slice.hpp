#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "properties/diagnose/shrink/run_case.hpp"
#include "properties/laws/parts.hpp"

namespace deltaproof {

/// Tokens [begin, end) of one sequence. Above 0, `begin` follows a recorded state, which becomes the initial one.
struct TokenRange {
  std::int64_t sequence = 0, begin = 0, end = 0;
};

/// What is kept of a run, bit for bit. Nothing of it is computed anew: rows, heads and value channels are taken out.
struct Slice {
  std::vector<TokenRange> sequences;        ///< in this order; of unpacked rows all equally long
  laws::Indices key_heads, value_heads;     ///< value heads in equal groups of the key heads
  laws::Indices channels, columns;          ///< of K and V
  bool pool = true;                         ///< rows of a pool that no sequence has stay; rows of others that go never do
  bool from_states = true;                  ///< else a range that begins later keeps the initial state: no output stays
};

/// All of it.
Slice whole(const Problem& problem);

/// The run of what is kept. Of the outputs those stay that are known of it: a final state inside a sequence only where
/// chunk_states of its type has it, chunk_states only where each of them is known. Nothing if it makes no problem: rows
/// of different lengths, a beginning without a recorded state that an initial state can hold, values that no longer are
/// in the rule's domain.
std::optional<RunCase> sliced(const RunCase& run, const Slice& slice);

}  // namespace deltaproof
