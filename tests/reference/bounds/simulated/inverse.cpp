#include "tests/reference/bounds/simulated/inverse.hpp"

#include <algorithm>

namespace deltaproof::simulated {
namespace {

constexpr Index tile = 16;

// Rows of X = (I + L)^{-1}: X_i = e_i - sum_r L_ir X_r.
Floats substitution(const Floats& L, Dots dots) {
  const Index n = L.rows();
  Floats X = Floats::Identity(n, n);
  for (Index i = 1; i < n; ++i) {
    const Floats row = -L.row(i).head(i);
    const Floats columns = X.topLeftCorner(i, i).transpose();
    X.row(i).head(i) = multiply(row, columns, Floats(), dots, Operand::bf16);
  }
  return X;
}

}  // namespace

Floats inverse(const Floats& L, Merge merge, Dots dots) {
  const Dots scalar = dots == Dots::hopper || dots == Dots::ampere ? Dots::fma : dots;
  if (merge == Merge::none) return substitution(L, scalar);
  // bf16 is the operand that nothing truncates.
  const Operand operand = merge == Merge::ieee ? Operand::bf16 : Operand::tf32;
  const Dots unit = merge == Merge::ieee ? scalar : dots;
  const Index C = L.rows();
  Floats X = Floats::Zero(C, C);
  for (Index b = 0; b < C; b += tile) {
    const Index n = std::min(tile, C - b);
    X.block(b, b, n, n) = substitution(L.block(b, b, n, n), scalar);
  }
  for (Index distance = tile; distance < C; distance += tile) {
    for (Index j = 0; j + distance < C; j += tile) {
      const Index i = j + distance, ni = std::min(tile, C - i);
      const Floats Xi = X.block(i, i, ni, ni);
      const Floats Li = L.block(i, j, ni, distance), Xj = X.block(j, j, distance, tile);
      if (merge == Merge::tf32_left) {
        const Floats XL = multiply(Xi, Li.transpose(), Floats(), unit, operand);
        X.block(i, j, ni, tile) = -multiply(XL, Xj.transpose(), Floats(), unit, operand);
      } else {
        const Floats Y = multiply(Li, Xj.transpose(), Floats(), unit, operand);
        X.block(i, j, ni, tile) = -multiply(Xi, Y.transpose(), Floats(), unit, operand);
      }
    }
  }
  return X;
}

}  // namespace deltaproof::simulated
