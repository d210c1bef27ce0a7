#pragma once

#include <concepts>

#include "reference/arithmetic/declared.hpp"
#include "reference/problem/matrix.hpp"

namespace deltaproof {

/// What a text may use. A reading gives blocks (matrices) their meaning: exact numbers (`Exact`), sets of the
/// values that a kernel may have (`Sets`), or a kernel's fp32 values to the bit (`Bits`). Operations between
/// blocks are the kernel's: each elementwise one is rounded to fp32. Shapes: an operand of `add`, `subtract`,
/// `times` and `fma` with one row or one column stands for all rows or columns. A text branches on what is
/// declared, never on values.
template <class R>
concept Reading = requires(const R& r, typename R::Block a, const Matrix& m, Index i, Point point,
                           Product product, double x, bool yes) {
  { r.declared() } -> std::convertible_to<const Declared&>;
  { a.rows() } -> std::convertible_to<Index>;
  { a.cols() } -> std::convertible_to<Index>;
  { r.given(m) } -> std::same_as<typename R::Block>;          ///< an input of the kernel, in fp32 or narrower
  { r.constant(x) } -> std::same_as<typename R::Block>;       ///< 1 x 1, to nearest fp32
  { r.zero(i, i) } -> std::same_as<typename R::Block>;
  { r.part(a, i, i, i, i) } -> std::same_as<typename R::Block>;  ///< row, column, rows, columns
  { r.place(a, i, i, a) };                                    ///< writes a block at row, column
  { r.transpose(a) } -> std::same_as<typename R::Block>;
  { r.lower(a) } -> std::same_as<typename R::Block>;          ///< zero above the diagonal, whatever was there
  { r.strictly_lower(a) } -> std::same_as<typename R::Block>;
  { r.negate(a) } -> std::same_as<typename R::Block>;
  { r.add(a, a) } -> std::same_as<typename R::Block>;
  { r.subtract(a, a) } -> std::same_as<typename R::Block>;
  { r.times(a, a) } -> std::same_as<typename R::Block>;
  { r.fma(a, a, a) } -> std::same_as<typename R::Block>;      ///< a a + a, rounded once
  { r.log2e() } -> std::same_as<typename R::Block>;           ///< 1 x 1
  { r.exp2(a) } -> std::same_as<typename R::Block>;
  { r.scan(a) } -> std::same_as<typename R::Block>;           ///< prefix sums down each column
  { r.mma(a, a, a, product) } -> std::same_as<typename R::Block>;  ///< C, A, B: C + A B
  { r.merge(a, a, a) } -> std::same_as<typename R::Block>;    ///< the same as the merge of an inverse does it
  { r.inverse(a) } -> std::same_as<typename R::Block>;        ///< (I + L)^{-1} of strictly lower L, by rows
  { r.channel_sum(a, a) } -> std::same_as<typename R::Block>;  ///< n x K, n x K: row sums of a a, n x 1
  { r.subtract_dot(a, a, a, i) } -> std::same_as<typename R::Block>;  ///< v 1 x V, then as lane_dot: v - S^T x
  { r.lane_dot(a, a, i) } -> std::same_as<typename R::Block>;  ///< S, x K x 1, lanes: S^T x as 1 x V
  { r.scaled_sum(a, a, a) } -> std::same_as<typename R::Block>;  ///< x s + y s, s 1 x 1 (Declared::output_sum)
  { r.round(a, point) } -> std::same_as<typename R::Block>;
};

/// Inputs of one chunk as a kernel has them; C tokens.
template <class R>
struct TextInput {
  using Block = typename R::Block;
  Block q, k;    ///< C x K, normalised and stored where the kernel does so
  Block v;       ///< C x V
  Block g;       ///< C x 1 or C x K: log decays; zeros without decay
  Block beta;    ///< C x 1; ones where the rule has none
  Block state;   ///< K x V
  Block scale;   ///< 1 x 1
  bool state_was_given = false; ///< the problem has an initial state (fla-recurrent: its layout depends on it)
  bool residual = true;         ///< of the rule: v - S^T k is written, not v
};

template <class R>
struct TextOutput {
  typename R::Block o;      ///< C x V, rounded at Point::o
  typename R::Block state;  ///< K x V, fp32
  typename R::Block written = {};  ///< C x V: U = b e in fp32 before any rounding; texts without it: empty
  typename R::Block residual = {};  ///< C x V: e, of a text that forms it; else empty
};

}  // namespace deltaproof
