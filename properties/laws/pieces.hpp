#pragma once

#include <cstdint>
#include <vector>

#include "properties/laws/bounded.hpp"
#include "properties/laws/property.hpp"
#include "properties/laws/second_run.hpp"

namespace deltaproof::laws {

/// Whether the states of all judged sequences are finite; other rows of a pool may hold anything.
bool finite_states(const Problem& problem, const Tensor& states);

/// The first `count` tokens of every sequence (all, if it has fewer).
Problem first_tokens(const Problem& problem, std::int64_t count);

/// Tokens [begin, begin + count) of every sequence, from the state that the piece before left.
struct Piece {
  std::int64_t begin = 0, count = 0;
  Problem problem;
  Outputs outputs;
};

/// Every sequence in pieces between `cuts` (ascending, the first 0), the state handed on. Stops before a state that
/// is not finite, which is no input of a kernel. Throws what `kernel.run` throws.
std::vector<Piece> run_in_pieces(const Kernel& kernel, const Problem& problem, const std::vector<std::int64_t>& cuts);

/// Copies rows of `piece` ([B, T, ..], tokens [begin, begin + count) of every sequence of `problem`) to where they
/// lie in `whole`.
void place_rows(const Tensor& piece, const Problem& problem, std::int64_t begin, std::int64_t count, Tensor& whole);

/// The law that a run in pieces and one run agree. With W the bound of the whole run, R_p that of piece p from the
/// state it began with (an exact input, for it is in fp32), and x the exact answers:
///   |S_p - x_p| <= R_p                         each piece hands on the right state,
///   |o_p - o| <= R_p + W + |x_p - x|           and says what the whole run says,
/// the same for the last state. x_p - x is what the roundings of earlier pieces, each of them within its bound by the
/// first line, do to later tokens; both are known exactly.
void agree_in_pieces(const Trial& trial, const Problem& problem, const std::vector<std::int64_t>& cuts,
                     Verdict& verdict);

}  // namespace deltaproof::laws
