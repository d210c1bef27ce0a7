#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "reference/problem/problem.hpp"

namespace deltaproof {

/// A change to drawn tensors that a problem's text cannot say. Tokens are first, first + stride, .. on the T axis (the
/// rest of a division by T; stride 0: that one alone), of every batch row and head; a state changes as a whole.
struct EntryMove {
  enum class Kind {
    negate,
    zero,
    scale,   ///< times 2^other
    copy,    ///< q, k, v, g or beta of token `other`: keys that are equal
    nudge,   ///< each element stays or goes to a neighbour in its type, as a hash of `other` says
    set,     ///< g, beta, eta: number `other` of a table of critical values
    ask,     ///< q becomes the key `other` tokens before: what was written is read
    cancel,  ///< v becomes what is read already: the residual is a rounding error (at most 4 tokens)
    turn,    ///< q loses its component along what the state holds most of: outputs cancel
  };
  Kind kind = Kind::zero;
  std::string tensor;
  std::int64_t first = 0, stride = 0, other = 0;
  bool operator==(const EntryMove&) const = default;
};

/// "copy k 3 2 5": kind, tensor, first, stride, other.
std::string to_text(const EntryMove& move);
/// Throws InputError for text that is none.
EntryMove parse_entry_move(std::string_view text);

/// The problem with the change; the same if it has no such tensor. Throws InputError where the result is no problem: a
/// value that its type does not hold, a zero key that must be normalised.
Problem moved(const EntryMove& move, const Problem& problem);

}  // namespace deltaproof
