#include "reference/arithmetic/formed.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "reference/arithmetic/channel_layout.hpp"
#include "reference/arithmetic/interval_rounding.hpp"

namespace deltaproof {
namespace {

float sum_of_squares(std::span<const float> x, NormSum order) {
  const std::size_t lanes = order == NormSum::warp ? 32 : 1;
  std::array<float, 32> sums{};
  for (std::size_t i = 0; i < x.size(); ++i) sums[i % lanes] = std::fma(x[i], x[i], sums[i % lanes]);
  return sum_by_halves(std::span(sums).first(lanes));
}

struct Fraction {
  float numerator = 0, denominator = 1;
  float value() const { return numerator / denominator; }
};

// b of a token with stored gate w and n = |k|^2. Each part is monotone in n, roundings included.
Fraction coefficient(const Options& options, float w, float n) {
  const auto eps = static_cast<float>(options.eps);
  if (options.rule == Rule::longhorn_exact) return {w, std::fma(w, n, 1.0f)};
  switch (options.variant) {
    case KlaVariant::key_norm_only: return {1, n + eps};
    case KlaVariant::learned_scalar: return {w, std::fma(static_cast<float>(options.c), n, eps)};
    case KlaVariant::no_norm: return {w, 1};
    case KlaVariant::standard:
    case KlaVariant::single_gate: break;
  }
  return {w, n + eps};
}

float stored_write(const Matrix& write, Index t) {
  return write.size() == 0 ? 1.0f : static_cast<float>(write(t, 0));
}

// The coefficients of every |k|^2 of a set: a quotient is monotone where its denominator keeps its sign.
Ball coefficients(const Options& options, float w, const Ball& square) {
  if (!std::isfinite(square.radius) || !std::isfinite(square.centre)) return unknown_ball;
  const Ends ends = ends_of(square.centre, square.radius);
  // The kernel's |k|^2 is an fp32 number between the ends, so between what they are rounded to.
  const Fraction low = coefficient(options, w, static_cast<float>(std::max(0.0, ends.low)));
  const Fraction high = coefficient(options, w, static_cast<float>(ends.high));
  const bool one_sign = low.denominator > 0 ? high.denominator > 0 : low.denominator < 0 && high.denominator < 0;
  if (!one_sign) return unknown_ball;
  return ball_between(std::min(low.value(), high.value()), std::max(low.value(), high.value()));
}

}  // namespace

bool forms_write(const Options& options) {
  return options.rule == Rule::kla || options.rule == Rule::longhorn_exact;
}

std::string no_formed_write(const Declared& declared, const Options& options) {
  if (!forms_write(options)) return {};
  if (declared.norm_sum == NormSum::unknown) {
    return "rule " + std::string(rule_info(options.rule).name) +
           " forms its write coefficient in the kernel, in an order that is not declared; record the beta "
           "that the kernel used, under rule gated_delta";
  }
  if (options.rule != Rule::kla) return {};
  if (options.variant == KlaVariant::single_gate) {
    return "variant single_gate forms its decay in the kernel, in an order that is not declared";
  }
  if (options.position != Position::one) {
    return "the position factor is formed in the kernel, in an order that is not declared: only position one is";
  }
  return {};
}

float formed_write(const Options& options, float w, float n) {
  return forms_write(options) ? coefficient(options, w, n).value() : w;
}

MatrixF normalised_rows(const MatrixF& x, double eps, NormSum order) {
  MatrixF rows = x;
  for (Index t = 0; t < x.rows(); ++t) {
    const float square = sum_of_squares({x.row(t).data(), static_cast<std::size_t>(x.cols())}, order);
    rows.row(t) *= 1.0f / std::sqrt(square + static_cast<float>(eps));
  }
  return rows;
}

MatrixF write_coefficients(const Bits& r, const Options& options, const MatrixF& keys, const Matrix& write) {
  const bool forms = forms_write(options) && no_formed_write(r.declared(), options).empty();
  MatrixF b(keys.rows(), 1);
  for (Index t = 0; t < keys.rows(); ++t) {
    b(t, 0) = stored_write(write, t);
    if (!forms) continue;
    const std::span<const float> key(keys.row(t).data(), static_cast<std::size_t>(keys.cols()));
    b(t, 0) = coefficient(options, b(t, 0), sum_of_squares(key, r.declared().norm_sum)).value();
  }
  return b;
}

SetBlock write_coefficients(const Sets& r, const Options& options, const SetBlock& keys, const Matrix& write) {
  SetBlock b = r.channel_sum(keys, keys);
  for (Index t = 0; t < keys.rows(); ++t) {
    const Ball ball = coefficients(options, stored_write(write, t), {b.centre(t, 0), b.radius(t, 0)});
    b.centre(t, 0) = ball.centre;
    b.radius(t, 0) = ball.radius;
  }
  return b;
}

}  // namespace deltaproof
