#pragma once

#include <string>
#include <vector>

#include "properties/accuracy/comparison.hpp"
#include "properties/accuracy/units.hpp"

namespace deltaproof {

/// One tensor of a kernel's outputs, as far as it lies in a unit.
struct Piece {
  std::string tensor;
  bool is_state = false;
  std::int64_t token = 0;    ///< first token of `o`; tokens before a state
  bool slot_values = false;  ///< second part of a gsa state
  Matrix value;              ///< tokens x V, or one state
};

/// What the kernel put out for a unit: rows of `o`, `chunk_states` after its tokens, the final state.
std::vector<Piece> pieces_of(const Problem& problem, const Outputs& outputs, const Unit& unit);

/// Which of the states after each `every` tokens of a unit is the one after `token` tokens of its sequence.
std::size_t state_after(const Unit& unit, std::int64_t token, std::int64_t every);

/// The place of a piece, without values.
ComparedBlock block_of(const Problem& problem, const Unit& unit, const std::string& tensor, bool is_state,
                       std::int64_t token);

/// The state that a unit begins with: the kernel's recorded one, or that of `head`, its whole sequence.
Matrix state_before(const Problem& problem, const Outputs& outputs, const Unit& unit, const HeadInputs& head);

/// How far a kernel's initial state may be from the given one: kernels that keep it in fp32 round one that is
/// given in double. 0 x 0: it is exact.
Matrix initial_state_error(const Problem& problem, const Unit& unit, const Matrix& state);

}  // namespace deltaproof
