#include "reference/bounds/rounding.hpp"

namespace deltaproof {

double Rounding::error(double size) const {
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
