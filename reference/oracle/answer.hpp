#pragma once

#include <string>
#include <vector>

#include "reference/problem/head.hpp"
#include "reference/rules/cache_sets.hpp"

namespace deltaproof {

/// Sizes of the exact trajectory that error bounds need (update family): from the reference run,
/// upper bounds.
struct NormTrace {
  Matrix state;  ///< tokens x V: |S_t[:, c]|_2 after token t
  Matrix w;      ///< tokens x V: |b_t e_t[c]|
};

struct AnswerRequest {
  Index every = 0;     ///< also keep the state after each `every` tokens (0: only the last)
  bool trace = false;  ///< fill `trace`
  bool u = false;      ///< fill `u`
  bool e = false;      ///< fill `e`
  /// hola: the sets to read the cache with, a kernel's for example; nullptr: those of the exact scores.
  const CacheSets* sets = nullptr;
};

/// The right answer of one head with a certified radius: |value - exact| <= radius, rounded
/// outwards, to full order. A radius that is infinite or NaN means 'not certified'.
struct HeadAnswer {
  Matrix o, o_radius;             ///< tokens x V
  std::vector<Index> boundaries;  ///< tokens before each kept state; the last is `tokens`
  std::vector<Matrix> states;     ///< K x V each (gsa: slot keys, M x K)
  std::vector<RowVector>
      state_radius;                 ///< per column: bounds its 2-norm error, so each element's too
  std::vector<Matrix> slot_values;  ///< gsa only
  std::vector<RowVector> slot_values_radius;
  Matrix u, u_radius;  ///< tokens x V: u_t = b_t e_t (update family)
  Matrix e, e_radius;  ///< tokens x V: e_t against the decayed state (update family)
  NormTrace trace;
  Matrix score, score_radius;  ///< hola: tokens x 1
  CacheSets sets;              ///< hola: A_n of each block, as the cache was read
  /// hola: whether no other A_n agrees with the scores' radii (or it was handed in). Where not, o_radius is infinite in
  /// the block.
  std::vector<bool> certain;
  int bits = 53;      ///< precision used
  std::string route;  ///< "double", "mpfr", "mpfi"
};

HeadAnswer answer_double(const HeadInputs& head, const AnswerRequest& request);
HeadAnswer answer_mpfr(const HeadInputs& head, const AnswerRequest& request, int bits);
/// The same text on MPFI intervals: the root of trust within one chunk.
HeadAnswer answer_mpfi(const HeadInputs& head, const AnswerRequest& request, int bits);
/// MPFI, precision doubled until every width is at most `relative_width` of max(1, |value|), up to
/// `max_bits`.
HeadAnswer answer_mpfi_to_width(const HeadInputs& head, const AnswerRequest& request,
                                double relative_width, int max_bits = 8192);

/// Radii that the caller needs, element by element (tokens x V, and K x V per kept state); empty =
/// no wish.
struct AnswerTarget {
  Matrix o;
  std::vector<Matrix> states;
};

/// Double first; where its certificate exceeds the target, MPFR with
/// p = 53 + log2(certificate / target) bits (repeated, up to `max_bits`, if the certificate still
/// exceeds it). The result's radius says what was reached.
HeadAnswer answer_within(const HeadInputs& head, const AnswerRequest& request,
                         const AnswerTarget& target, int max_bits = 8192);

}  // namespace deltaproof
