#include "reference/bounds/rounding.hpp"

namespace deltaproof {

double Rounding::error(double size) const {
  // `size` was itself computed in double: a value just below a power of two must not halve the step.
  size *= 1 + 0x1p-30;
  switch (mode) {
    case Mode::exact:
      return 0;
    case Mode::nearest:
      return half_ulp(format, size);
    case Mode::truncated:
      return 2 * half_ulp(format, size);
  }
  return 0;
}

Matrix Rounding::error(const Matrix& size) const {
  if (mode == Mode::exact) return Matrix::Zero(size.rows(), size.cols());
  return size.unaryExpr([this](double x) { return error(x); });
}

}  // namespace deltaproof
