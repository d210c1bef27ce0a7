#include "reference/bounds/gates.hpp"

#include <cmath>

namespace deltaproof {
namespace {

// A result below the smallest normal number may be flushed to zero.
constexpr double flush = 0x1p-126;

// Error of e^x, where x comes from sums of sizes adding up to `size`: scan_depth + 1 roundings on the sums
// (the last is the multiplication by log2 e), and less than 3.5 on x (constant, subtraction, a multiplication
// inside exp). Written so that e^x = 0 with an enormous relative error gives no 0 * inf.
double error_of_exponential(double size, double x, const GateRounding& r) {
  const double on_sums = gamma_n(r.scan_depth + 1, u32) + r.log_error;
  const double shift = on_sums * size + 3.5 * u32 * std::abs(x) + std::log1p(r.exp_error);
  const double value = std::exp(x);
  const double error = shift < 1 ? value * std::expm1(shift) : std::exp(x + shift) - value;
  return error + flush;
}

Approximate exponential(const Matrix& x, const Matrix& size, const GateRounding& rounding) {
  Approximate result{Matrix(x.rows(), x.cols()), Matrix(x.rows(), x.cols())};
  for (Index i = 0; i < x.size(); ++i) {
    result.exact.data()[i] = std::exp(x.data()[i]);
    result.error.data()[i] = error_of_exponential(size.data()[i], x.data()[i], rounding);
  }
  return result;
}

}  // namespace

LogDecay log_decay(const Matrix& g) {
  LogDecay decay{g, g.cwiseAbs()};
  for (Index i = 1; i < g.rows(); ++i) {
    decay.sum.row(i) += decay.sum.row(i - 1);
    decay.size.row(i) += decay.size.row(i - 1);
  }
  return decay;
}

Approximate decay_from_start(const LogDecay& decay, const GateRounding& rounding) {
  return exponential(decay.sum, decay.size, rounding);
}

Approximate decay_to_end(const LogDecay& decay, const GateRounding& rounding) {
  const Index last = decay.sum.rows() - 1;
  const Matrix x = (-decay.sum).rowwise() + decay.sum.row(last);
  const Matrix size = decay.size.rowwise() + decay.size.row(last);
  return exponential(x, size, rounding);
}

Approximate decay_between(const LogDecay& decay, const GateRounding& rounding) {
  const Index C = decay.sum.rows();
  Approximate result = exactly(Matrix::Zero(C, C));
  for (Index i = 0; i < C; ++i) {
    for (Index j = 0; j <= i; ++j) {
      const double x = decay.sum(i, 0) - decay.sum(j, 0);
      result.exact(i, j) = std::exp(x);
      result.error(i, j) = error_of_exponential(decay.size(i, 0) + decay.size(j, 0), x, rounding);
    }
  }
  return result;
}

}  // namespace deltaproof
