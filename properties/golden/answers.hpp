#pragma once

#include "reference/problem/problem.hpp"

namespace deltaproof::golden {

enum class Route { first, second };

/// The right answer of a problem, correctly rounded. For each output X that its rule has (o; final_state, chunk_states
/// or final_slot_keys, final_slot_values; scores):
///
///   X         in the type of a kernel's output: o in the type of q, everything else in F32 (F64 if q is F64)
///   X.f64     correctly rounded to double
///   X.radius  |X.f64 - exact| <= radius (rounding.hpp: Rounded), F64
///
/// and for hola `selected`, I64, unused places -1. Shapes and layout are those of a kernel's outputs. Rows of o that
/// belong to no judged sequence are zeros with radius 0; so are states of padding sequences; rows of a pool that no
/// sequence has are those of initial_state, with radius 0.
struct Answers {
  TensorMap tensors;
  int bits = 0;  ///< the precision that was needed
  /// Numbers that the other route told, for this one could not: an exact zero may be a product of one route (q . k = 0)
  /// and a sum of the other, round which no precision closes. That both enclosures meet is all that is checked of them.
  std::int64_t alone = 0;
};

/// The precisions that are tried: 192 bits, then twice as many, up to this, so that a tie of few bits is told from one that
/// a decay of e^-10000 moved by 2^-14427.
inline constexpr int most_bits = 24576;

/// Both routes give the same bits, or one of them is wrong: each rounding is proved by enclosures alone. Throws
/// InputError where no precision tells how an output rounds (a tie that is none of the few exact ones, a result beyond
/// double, scores that may be equal), naming it.
Answers answers(const Problem& problem, Route route);

}  // namespace deltaproof::golden
