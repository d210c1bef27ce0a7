#include "reference/bounds/gates.hpp"

#include <cmath>

namespace deltaproof {
namespace {

// A result below the smallest normal number may be flushed to zero.
constexpr double flush = 0x1p-126;

// Relative error of e^x, where x comes from sums of sizes adding up to `size` and has absolute value |x|:
// scan_depth + 1 roundings on the sums (the last is the multiplication by log2 e), and less than 3.5 on x
// (constant, subtraction, a multiplication inside exp).
double relative_error(double size, double x, const GateRounding& r) {
  const double on_sums = gamma_n(r.scan_depth + 1, u32) + r.log_error;
  return std::expm1(on_sums * size + 3.5 * u32 * std::abs(x) + std::log1p(r.exp_error));
}

Approximate exponential(const Matrix& x, const Matrix& size, const GateRounding& rounding) {
  Approximate result{Matrix(x.rows(), x.cols()), Matrix(x.rows(), x.cols())};
  for (Index i = 0; i < x.size(); ++i) {
    const double value = std::exp(x.data()[i]);
    result.exact.data()[i] = value;
    result.error.data()[i] = value * relative_error(size.data()[i], x.data()[i], rounding) + flush;
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
      const double value = std::exp(x);
      result.exact(i, j) = value;
      result.error(i, j) =
          value * relative_error(decay.size(i, 0) + decay.size(j, 0), x, rounding) + flush;
    }
  }
  return result;
}

}  // namespace deltaproof
