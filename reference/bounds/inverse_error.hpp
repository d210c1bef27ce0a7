#pragma once

#include "reference/bounds/approximate.hpp"

namespace deltaproof {

/// T = M^{-1} for unit lower-triangular M = I + L, by forward substitution.
Matrix unit_lower_inverse(const Matrix& strictly_lower);

/// (I - E)^{-1} Y for strictly lower E >= 0 and Y >= 0: the exact sum of the Neumann series.
Matrix neumann_sum(const Matrix& strictly_lower, const Matrix& y);

/// How far a kernel's inverse is from T = (I + L)^{-1}, in two parts that enter products differently.
struct InverseError {
  Matrix from_input;  ///< |(I + L^)^{-1} - T|, because L^ = L + dL: R1(|T| dL |T|)
  Matrix algorithm;   ///< |T^ - (I + L^)^{-1}| of the computed inverse
  Matrix input_spread;  ///< E = |T| dL, for R1(Y) = neumann_sum(E, Y)
  Matrix input_left;    ///< |T| dL
  Matrix total() const { return from_input + algorithm; }
};

/// Size of the diagonal blocks that are inverted by substitution.
inline constexpr Index inverse_tile = 16;

/// The blocks of a square matrix on its diagonal; zero elsewhere.
Matrix block_diagonal(const Matrix& m);

/// Four (or fewer) 16 x 16 diagonal inverses by fp32 row substitution, merged by products whose operands are rounded
/// (`operand`: truncated TF32), in either association and any order of the sums (docs/loc.md, Theorem 2; exact in
/// all orders). `L`: strictly lower, with its error. `accumulation`: of a TF32 dot of up to 48 terms.
InverseError merged_inverse_error(const Approximate& L, const Matrix& T, const DotError& accumulation,
                                  const Rounding& operand);

/// One C x C substitution in fp32, sums in any order (docs/loc.md, Theorem 3).
InverseError substitution_error(const Approximate& L, const Matrix& T);

}  // namespace deltaproof
