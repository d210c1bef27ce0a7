#pragma once

#include <cstdint>
#include <stdexcept>

#include "reference/problem/problem.hpp"
#include "reference/rules/scalar.hpp"

namespace deltaproof {

/// Position factor of the KLA ablation, for t counted from 1: b / t, b / sqrt(t) or b / log(1 + t).
template <Scalar R>
R with_position(const R& b, Position position, std::int64_t t) {
  using std::log;
  using std::sqrt;
  const R count(static_cast<double>(t));  // exact: no sequence has 2^53 tokens
  switch (position) {
    case Position::one:
      return b;
    case Position::inverse:
      return b / count;
    case Position::inverse_sqrt:
      return b / sqrt(count);
    case Position::inverse_log:
      return b / log(R(1) + count);
  }
  throw std::logic_error("unknown position factor");
}

/// Write coefficient of `kla` (Kaczmarz Linear Attention, arXiv 2605.08587, Eq. 3): eta / (|k|^2 +
/// eps), and its ablations. `c` of learned_scalar is used as given (softplus of a trained scalar in
/// the official code; the paper's appendix has the scalar itself). Two roundings beyond those of
/// |k|^2, one more with c; a position factor adds at most three.
template <Scalar R>
R kla_coefficient(const Options& options, double eta, const R& key_square, std::int64_t t) {
  const R eps(options.eps);
  R b(eta);
  switch (options.variant) {
    case KlaVariant::no_norm:
      break;
    case KlaVariant::key_norm_only:
      b = R(1) / (key_square + eps);
      break;
    case KlaVariant::learned_scalar:
      b /= R(options.c) * key_square + eps;
      break;
    case KlaVariant::standard:
    case KlaVariant::single_gate:
      b /= key_square + eps;
      break;
  }
  return with_position(b, options.position, t);
}

/// Decay of KlaVariant::single_gate: alpha = clamp(1 - eta, 1e-6, 1). At most one rounding.
///
/// The comparisons are made in double and are right for the real numbers: 1 - eta is exact in
/// double for eta in [1/2, 2] (Sterbenz), where the lower end lies, and the upper end is the sign
/// of eta.
template <Scalar R>
R kla_single_gate_decay(double eta) {
  constexpr double kFloor = 1e-6;
  if (eta <= 0) return R(1);
  if (1 - eta < kFloor) return R(kFloor);
  return R(1) - R(eta);
}

}  // namespace deltaproof
