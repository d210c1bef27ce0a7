#include "tests/reference/bounds/simulated/float_ops.hpp"

#include <bit>
#include <cmath>
#include <vector>

namespace deltaproof::simulated {
namespace {

float truncated_to_tf32(float x) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) & 0xffffe000u);
}

float pairwise(const float* a, const float* b, std::size_t n) {
  if (n == 1) return a[0] * b[0];
  const std::size_t half = n / 2;
  return pairwise(a, b, half) + pairwise(a + half, b + half, n - half);
}

float dot(std::span<const float> a, std::span<const float> b, float c, Dots dots, Operand operand) {
  switch (dots) {
    case Dots::hopper:
      return tensor_core_dot(tensor_core("hopper"), a, b, c, operand);
    case Dots::ampere:
      return tensor_core_dot(tensor_core("ampere"), a, b, c, operand);
    case Dots::fma:
      for (std::size_t i = 0; i < a.size(); ++i) c = std::fma(a[i], b[i], c);
      return c;
    case Dots::pairwise:
      return a.empty() ? c : c + pairwise(a.data(), b.data(), a.size());
    case Dots::exact_once:
      break;
  }
  long double sum = c;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += static_cast<long double>(a[i]) * static_cast<long double>(b[i]);
  return static_cast<float>(sum);
}

}  // namespace

Floats multiply(const Floats& A, const Floats& B_transposed, const Floats& C, Dots dots,
                Operand operand) {
  Floats a = A, b = B_transposed;
  if (operand == Operand::tf32) {
    a = a.unaryExpr(&truncated_to_tf32);
    b = b.unaryExpr(&truncated_to_tf32);
  }
  Floats result(a.rows(), b.rows());
  const auto n = static_cast<std::size_t>(a.cols());
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index j = 0; j < b.rows(); ++j) {
      const float c = C.size() == 0 ? 0.0f : C(i, j);
      result(i, j) = dot({a.row(i).data(), n}, {b.row(j).data(), n}, c, dots, operand);
    }
  }
  return result;
}

Floats to_floats(const Matrix& m) { return m.cast<float>(); }
Matrix to_matrix(const Floats& m) { return m.cast<double>(); }

}  // namespace deltaproof::simulated
