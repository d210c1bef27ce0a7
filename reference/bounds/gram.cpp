#include "reference/bounds/gram.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace deltaproof {
namespace {

void keep_lower(Matrix& m, bool diagonal) {
  for (Index i = 0; i < m.rows(); ++i) {
    for (Index j = diagonal ? i + 1 : i; j < m.cols(); ++j) m(i, j) = 0;
  }
}

Approximate lower(Approximate x, bool diagonal) {
  keep_lower(x.exact, diagonal);
  keep_lower(x.error, diagonal);
  return x;
}

// Logarithm of the largest factor by which one decayed operand x e^{G_i - G_n} may be off, for each channel: the
// exponential, a product (and one with the scale), and rounding to the operand's type.
RowVector log_operand_growth(const LogDecay& decay, const ChunkFormats& f) {
  const Index last = decay.size.rows() - 1;
  double rounding = 0;  // unit roundoff of the operand's type
  if (f.gram_operand.mode == Rounding::Mode::nearest) rounding = unit_roundoff(f.gram_operand.format);
  if (f.gram_operand.mode == Rounding::Mode::truncated) rounding = 2 * unit_roundoff(f.gram_operand.format);
  const double sums = gamma_n(f.gates.scan_depth + 1, u32) + f.gates.log_error;
  return decay.size.row(last).unaryExpr([&](double size) {
    return (2 * sums + 3.5 * u32) * size + std::log1p(f.gates.exp_error) + 2 * std::log1p(u32) +
           std::log1p(rounding);
  });
}

}  // namespace

Grams scalar_decay_grams(const Approximate& q, const Approximate& k, const Approximate& left,
                         const Approximate& between, const Rounding& product, const DotError& accumulation) {
  const Approximate kt = k.transpose();
  const Approximate kk = rounded(dot(left, kt, accumulation), product);
  const Approximate qk = rounded(dot(q, kt, accumulation), product);
  return {lower(hadamard(kk, between, u32), false), lower(hadamard(qk, between, u32), true)};
}

Grams per_channel_grams(const Approximate& q, const Approximate& k, const Approximate& left,
                        const LogDecay& decay, const ChunkFormats& f, double scale,
                        const DotError& accumulation) {
  const Index C = k.exact.rows();
  const RowVector log_growth = 2 * log_operand_growth(decay, f);
  const double largest_growth = std::exp(log_growth.maxCoeff());
  // An operand may be rounded among subnormal numbers (of fp32, if of no narrower type), with its scale or without,
  // or flushed.
  const double step = std::max(f.gram_operand.error(0.0), 0x1p-149);
  const double subnormal = step * std::max(1.0, scale == 0 ? 1 : 1 / std::abs(scale));
  const Matrix q_size = q.size();
  const Matrix k_size = k.size();
  const Matrix left_size = left.size();
  Grams grams{exactly(Matrix::Zero(C, C)), exactly(Matrix::Zero(C, C))};
  for (Index i = 0; i < C; ++i) {
    for (Index j = 0; j <= i; ++j) {
      const RowVector exponent = decay.sum.row(i) - decay.sum.row(j);
      const RowVector weight = exponent.array().exp();
      const RowVector largest = (1 + accumulation.relative) *
                                ((exponent + log_growth).array().exp() * k_size.row(j).array()).matrix();
      const RowVector plain = weight.cwiseProduct(k.exact.row(j));
      const auto pair = [&](const Approximate& x, const Matrix& x_size, Approximate& into) {
        into.exact(i, j) = plain.dot(x.exact.row(i));
        const double magnitude = plain.cwiseAbs().dot(x.exact.row(i).cwiseAbs());
        const double sizes = x_size.row(i).sum() + k_size.row(j).sum();
        const double floor =
            (0x1p-120 + accumulation.floor) * (1 + sizes) +
            largest_growth * (0x1p-124 * x_size.row(i).dot(k_size.row(j)) +
                              subnormal * (sizes + static_cast<double>(k_size.cols()) * subnormal));
        into.error(i, j) = largest.dot(x_size.row(i)) - magnitude + floor;
      };
      pair(q, q_size, grams.queries);
      if (j < i) pair(left, left_size, grams.keys);
    }
  }
  grams.queries = rounded(std::move(grams.queries), f.product);
  grams.keys = rounded(std::move(grams.keys), f.product);
  return {lower(std::move(grams.keys), false), lower(std::move(grams.queries), true)};
}

}  // namespace deltaproof
