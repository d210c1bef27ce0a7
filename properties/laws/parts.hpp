#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "properties/laws/compare.hpp"

namespace deltaproof::laws {

/// Indices 0 .. count - 1 along an axis, for `taken`.
using Indices = std::vector<std::int64_t>;

/// True of inputs and outputs with one row a token, [B, T, ..].
bool has_token_rows(const std::string& tensor);
/// True of outputs with one row for each few tokens of a sequence: chunk_states and selected.
bool has_part_rows(const std::string& tensor);
/// Axis of the heads: of key heads for q and k, else of value heads; no axis (-1) for cu_seqlens and state_indices.
int head_axis(const std::string& tensor);

/// The inputs whose key head i is key head `keys[i]`, and value head i value head `values[i]`.
TensorMap with_heads(const Problem& problem, const Indices& keys, const Indices& values);
Outputs with_heads(const Outputs& outputs, const Indices& values);

/// The inputs whose value channel j is channel `columns[j]`: of v, the states, and a beta per channel. What hola's cache
/// keeps does not follow them: it hangs on norms over all channels (`of_columns`).
TensorMap with_columns(const Problem& problem, const Indices& columns);
Outputs with_columns(const Problem& problem, const Outputs& outputs, const Indices& columns);

/// The inputs whose sequence i is sequence `sequences[i]`, one after the other; rows of no sequence go to the end if
/// `keep_others`, else are lost. A pool of states stays as it is.
TensorMap with_sequences(const Problem& problem, const Indices& sequences, bool keep_others = true);
Outputs with_sequences(const Problem& problem, const Outputs& outputs, const Indices& sequences,
                       bool keep_others = true);

/// The same tokens as packed sequences: batch rows one after the other, B = 1. Packed inputs stay as they are.
TensorMap packed(const Problem& problem);
/// Outputs in the shape of `packed`.
Outputs packed(const Outputs& outputs);

/// Rows of o of tokens [begin, end) of every sequence, cut off at its end: o of a run of those tokens alone.
Tensor rows_between(const Problem& problem, const Tensor& o, std::int64_t begin, std::int64_t end);

/// Outputs of a run of the first `count` tokens of every sequence, so far as they are known from a run of all: without
/// chunk_states, and with the final state of all.
Outputs before_token(const Problem& problem, const Outputs& outputs, std::int64_t count);

/// Values that hang on their own value channel alone: all, but where hola's cache chooses by norms over channels only
/// those of the states.
About of_columns(const Problem& problem);

}  // namespace deltaproof::laws
