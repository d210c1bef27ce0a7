#include "reference/bounds/chunk_input.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/bounds/rounding.hpp"
#include "reference/rules/steps.hpp"

namespace deltaproof {
namespace {

Matrix to_matrix(const std::vector<double>& values, Index rows, Index columns) {
  return Eigen::Map<const Matrix>(values.data(), rows, columns);
}

// Relative fp32 error of the write coefficient, formed by the kernel from its inputs: sums of squares and
// products of positive numbers in any order, an addition of eps, a division (2 ulp where it is approximate).
double write_error(const Options& options, Index K) {
  const double norm = static_cast<double>(K) + 8;
  switch (options.rule) {
    case Rule::kla:
      return options.variant == KlaVariant::no_norm && options.position == Position::one
                 ? 0
                 : gamma_n(norm + 6, u32);  // 6: c, and a position factor by division, root or logarithm
    case Rule::longhorn_exact:
      return gamma_n(norm, u32);
    default:
      return 0;
  }
}

// The same from what underflows, at the worst token: 2^-126 for each product and sum of |k|^2, for its product with c or the gate, and
// for b itself, as if all of it were flushed. Infinite where |k|^2 or the denominator leaves fp32, or nothing of b is left.
double write_underflow(const Options& options, const Matrix& k, const Matrix& write, const Matrix& b) {
  constexpr double smallest_normal = 0x1p-126, overflows = 0x1p127;
  const bool longhorn = options.rule == Rule::longhorn_exact;
  const double operations = 2 * static_cast<double>(k.cols()) + 2;
  double largest = 0;
  for (Index t = 0; t < k.rows(); ++t) {
    if (b(t, 0) == 0) continue;
    const double factor = longhorn ? write(t, 0) : options.variant == KlaVariant::learned_scalar ? options.c : 1;
    const double n = k.row(t).squaredNorm();
    const double denominator = factor * n + (longhorn ? 1 : options.eps);
    if (n > overflows || denominator > overflows) return std::numeric_limits<double>::infinity();
    const double lost = smallest_normal * (operations * std::max(factor, 1.0) / denominator + 2 / std::abs(b(t, 0)));
    largest = std::max(largest, lost);
  }
  return largest < 0.25 ? largest / (1 - largest) : std::numeric_limits<double>::infinity();
}

Matrix log_gates(const HeadInputs& slice) {
  if (slice.options.rule == Rule::kla && slice.options.variant == KlaVariant::single_gate) {
    return slice.write.unaryExpr(
        [](double eta) { return std::log(std::min(1.0, std::max(1e-6, 1 - eta))); });
  }
  if (slice.g.size() == 0) return Matrix::Zero(slice.tokens, 1);
  return slice.g;
}

double transition_norm(const ChunkInput& in, const Matrix& g) {
  double log_norm = 0;
  for (Index t = 0; t < in.k.rows(); ++t) {
    log_norm += g.row(t).maxCoeff();
    const double square = in.k.row(t).squaredNorm();
    if (in.residual) log_norm += std::log(std::max(1.0, std::abs(1 - in.b(t, 0) * square)));
  }
  return std::exp(log_norm) * (1 + 0x1p-30);
}

}  // namespace

double normalise_error(Index K) {
  // K squares and sums, eps, root, reciprocal or division, product: positive terms, and the root halves the
  // error of the sum.
  return gamma_n(static_cast<double>(K) / 2 + 8, u32);
}

double ChunkInput::b_error_with(double key_error) const {
  if (!b_from_norm) return b_error;
  // |k^|^2 is off by at most a factor (1 + key_error)^2, and b divides by it (plus something positive).
  return (1 + b_error) / (1 - key_error * (2 + key_error)) - 1;
}

ChunkInput chunk_input(const HeadInputs& slice, const Matrix& state, const Matrix& state_error) {
  const Steps<double> steps = make_steps<double>(slice);
  const RuleInfo& rule = rule_info(slice.options.rule);
  ChunkInput in;
  in.q = to_matrix(steps.q, steps.tokens, steps.K);
  in.k = to_matrix(steps.k, steps.tokens, steps.K);
  in.v = to_matrix(steps.v, steps.tokens, steps.V);
  in.b = to_matrix(steps.b, steps.tokens, 1);
  const bool formed_gate =
      slice.options.rule == Rule::kla && slice.options.variant == KlaVariant::single_gate;
  const Matrix g = log_gates(slice);
  in.decay = log_decay(g);
  if (formed_gate) in.decay.size = log_decay(g.cwiseAbs().array() + 1).size;  // 1 - eta: an absolute error of g
  in.per_channel = rule.decay == Decay::per_channel;
  in.residual = rule.residual;
  in.scale = slice.options.scale;
  in.q_normalised = slice.options.qk_l2norm == L2Norm::q || slice.options.qk_l2norm == L2Norm::both;
  in.k_normalised = slice.options.qk_l2norm == L2Norm::k || slice.options.qk_l2norm == L2Norm::both;
  in.normalised_in_fp32 = slice.normalised_in_fp32;
  in.q_error = slice.q_error;
  in.k_error = slice.k_error;
  in.normalise_error = normalise_error(steps.K);
  in.b_error = write_error(slice.options, steps.K);
  // Twice: also of what is rounded besides.
  if (in.b_error > 0) in.b_error += 2 * write_underflow(slice.options, in.k, slice.write, in.b);
  in.b_from_norm = in.b_error > 0 && in.k_normalised;
  in.g_error = formed_gate ? 4 * u32 : 0;  // the logarithm, to 2 ulp
  in.transition_norm = transition_norm(in, g);
  in.state = state;
  in.state_error = state_error;
  return in;
}

}  // namespace deltaproof
