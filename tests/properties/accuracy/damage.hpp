#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reference/problem/case_file.hpp"

namespace deltaproof {

/// Ways in which outputs that were right are made wrong.
enum class Damage {
  zeros,     ///< the whole tensor
  zero_row,  ///< one token of `o`, or one key channel of one state
  one_nan,
  zero_column,    ///< one value channel of one head: of all tokens, or of one state
  scaled,         ///< by 1.01
  swapped_heads,  ///< the first two value heads
  shifted,        ///< `o` one token late, in every sequence
  transposed,     ///< every state; needs K = V
};

const std::vector<Damage>& all_damages();
const char* damage_name(Damage damage);

/// Whether `damage` means something for this tensor: a shift wants a sequence of two tokens of `o`,
/// a transposition a square state, a swap two heads.
bool applies(Damage damage, const std::string& tensor, const Problem& problem);

/// Where a local damage is done. `outer` is the batch row of `o` or the row of a state tensor (for
/// chunk_states of batch 0); `row` a token from the start of that batch row, or a key channel.
struct Place {
  std::int64_t outer = 0, head = 0, row = 0, column = 0;
};

/// `outputs` with one tensor damaged; local damage is done at `place`.
Outputs damaged(const Outputs& outputs, const std::string& tensor, Damage damage,
                const Place& place, const Problem& problem);

/// `outputs` with every value of one tensor multiplied and rounded to the tensor's type.
Outputs scaled(const Outputs& outputs, const std::string& tensor, double factor);

}  // namespace deltaproof
