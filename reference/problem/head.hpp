#pragma once

#include <optional>

#include "reference/problem/matrix.hpp"
#include "reference/problem/problem.hpp"

namespace deltaproof {

/// The exact inputs of one value head of one sequence (or of a slice of it), as stored: q and k are
/// not normalised, g is a log decay, write is beta or eta. Absent tensors are 0 x 0.
struct HeadInputs {
  Options options;
  Index tokens = 0, K = 0, V = 0, slots = 0;
  std::int64_t first_position = 1;  ///< position, from 1, of row 0 in its sequence
  Matrix q, k;                      ///< tokens x K
  Matrix v;                         ///< tokens x V
  Matrix g;                         ///< tokens x 1, tokens x K, or empty
  Matrix write;                     ///< tokens x 1; tokens x V for `longhorn`; or empty
  Matrix slot_decay;                ///< gsa: tokens x M
  std::optional<double> sink;       ///< softmax, hola: logit of the null sink
  double cache_gate = 0;            ///< hola: weight of the cache read, before the sigmoid
  Matrix gamma_q, gamma_k;          ///< hola, RMSNorm read: 1 x K
  /// |the rows a kernel stores - q|, |.. - k|, where it rounds rows that it normalised itself; empty: exact.
  Matrix q_error, k_error;
  bool write_in_16_bits = false;  ///< b is stored in 16 bits: products of it may be, too
  bool normalised_in_fp32 = false;  ///< a kernel that normalises rows keeps them in fp32
  Matrix initial_state;             ///< K x V (zeros if the problem has none); gsa: slot keys M x K
  Matrix initial_slot_values;       ///< gsa: M x V

  /// Tokens [begin, begin + count) with `state` as their initial state.
  HeadInputs slice(Index begin, Index count, const Matrix& state) const;
  /// hola: the same head under the rule of its state, without the cache; else itself.
  HeadInputs state_part() const;
};

/// Inputs of value head `head` of `sequence`; state in kv layout whatever the file's.
HeadInputs head_inputs(const Problem& problem, const Sequence& sequence, std::int64_t head);

/// Rows of `o` ([B, T, HV, V]) of one sequence and head: length x V.
Matrix output_rows(const Tensor& o, const Problem& problem, const Sequence& sequence,
                   std::int64_t head);

/// Outer row of a [B, NC, HV, K, V] tensor of states that holds state `index`, from 0, of a sequence.
std::int64_t chunk_state_row(const Tensor& states, const Sequence& sequence, std::int64_t index);

/// One K x V state of a [.., HV, K, V] (or vk) tensor: outer row `row`, value head `head`.
Matrix state_of(const Tensor& states, const Problem& problem, std::int64_t row, std::int64_t head);

}  // namespace deltaproof
