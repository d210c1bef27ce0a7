#pragma once

// What one dot product and a product of matrices share: factors as the multiplier has them, and
// the passes that see infinity or NaN. For tensor_core.cpp and tensor_core_product.cpp alone.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "reference/tensor_core.hpp"

namespace deltaproof::tensor_core_detail {

constexpr int max_depth = 16;
constexpr int product_fraction = 20;  // two significands of 10 fraction bits
constexpr int smallest_exponent = -126;
constexpr int alignment_floor = -133;  // nothing is aligned to less, however small
// An exponent that never decides the alignment, and one that marks infinity and NaN.
constexpr std::int32_t zero_exponent = -(1 << 12);
constexpr std::int32_t special_exponent = 1 << 20;

constexpr int min_exponent(Operand operand) {
  return operand == Operand::f16 ? -14 : smallest_exponent;
}

/// A signed significand with 10 fraction bits, and its exponent.
struct Factor {
  std::int32_t significand = 0;
  std::int32_t exponent = zero_exponent;
};

/// Subnormal numbers keep `least`, the exponent of the smallest normal one, as the multiplier's
/// input has it.
inline Factor unpack_factor(float x, std::int32_t least) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const auto field = static_cast<std::int32_t>((bits >> 23) & 0xff);
  const auto fraction = static_cast<std::int32_t>(bits & 0x7fffff);
  const std::int32_t whole = field == 0 ? fraction : fraction | 0x800000;
  const std::int32_t exponent = std::max(field, 1) - 127;
  const std::int32_t aligned = std::max(exponent, least);
  const std::int32_t magnitude = whole >> std::min(13 + aligned - exponent, 31);
  const std::int32_t sign = -static_cast<std::int32_t>(bits >> 31);
  return {(magnitude ^ sign) - sign, field == 0xff    ? special_exponent
                                     : magnitude == 0 ? zero_exponent
                                                      : aligned};
}

/// x as the multiplier takes it. A NaN whose payload lies in the bits that tf32 drops becomes an infinity, as it does
/// on an H200.
inline float truncate_factor(float x, Operand operand) {
  if (operand != Operand::tf32) return x;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) & 0xffffe000u);
}

/// x, or the one NaN of the hardware.
inline float one_nan(float x) { return std::isnan(x) ? std::bit_cast<float>(0x7fffffffu) : x; }

/// A pass that sees infinity or NaN: IEEE's rules. a(i) and b(i) are its factors.
template <class A, class B>
float special_pass(A a, B b, std::int64_t count, float c, Operand operand) {
  double sum = c;  // finite products only add finite numbers, which infinity absorbs
  for (std::int64_t i = 0; i < count; ++i) {
    const double product = static_cast<double>(truncate_factor(a(i), operand)) *
                           static_cast<double>(truncate_factor(b(i), operand));
    if (!std::isfinite(product)) sum += product;
  }
  return std::isinf(sum) ? static_cast<float>(sum) : one_nan(std::nanf(""));
}

/// Throws std::logic_error where the model has no arithmetic for such operands.
void require_arithmetic(const TensorCoreModel& model, Operand operand);

}  // namespace deltaproof::tensor_core_detail
