#include "reference/tensor_core.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "reference/tensor_core_factors.hpp"

namespace deltaproof {

using namespace tensor_core_detail;

namespace {

constexpr std::array<TensorCoreModel, 7> models{{
    {"any", Accumulation::envelope, 0, 0, 0, false,
     "any generation since Ampere, or CUDA cores: the largest of their error bounds"},
    {"hopper", Accumulation::aligned, 25, 16, 8, true,
     "F = 25, 16 products a pass (tf32: 8); equal to the bit on an H200"},
    {"blackwell", Accumulation::aligned, 25, 16, 8, false, "as hopper; published, not verified"},
    {"ada", Accumulation::aligned, 24, 8, 4, false, "as ampere; published, not verified"},
    {"ampere", Accumulation::aligned, 24, 8, 4, false,
     "F = 24, 8 products a pass (tf32: 4); published, not verified"},
    {"volta", Accumulation::aligned, 23, 4, 0, false,
     "F = 23, 4 products a pass, no tf32; published, not verified"},
    {"fp32_rn", Accumulation::fp32_fma, 0, 1, 1, true,
     "CUDA cores: a chain of fp32 fused multiply-adds, to nearest"},
}};

/// Factors of one pass.
struct Factors {
  std::array<std::int32_t, max_depth> significand{};
  std::array<std::int32_t, max_depth> exponent{};
};

void unpack(const float* x, int count, Operand operand, Factors& out) {
  const std::int32_t least = min_exponent(operand);
  for (int i = 0; i < max_depth; ++i) {
    const Factor factor = i < count ? unpack_factor(x[i], least) : Factor{};
    out.significand[i] = factor.significand;
    out.exponent[i] = factor.exponent;
  }
}

/// sum * 2^unit truncated to fp32; a zero, also one that truncation makes, is +0.
float pack(std::int64_t sum, int unit) {
  if (sum == 0) return 0.0f;
  const std::uint32_t sign = sum < 0 ? 0x80000000u : 0u;
  const auto magnitude = static_cast<std::uint64_t>(sum < 0 ? -sum : sum);
  const int exponent = static_cast<int>(std::bit_width(magnitude)) - 1 + unit;
  if (exponent > 127) return std::bit_cast<float>(sign | 0x7f800000u);
  const bool subnormal = exponent < smallest_exponent;
  const int drop = (subnormal ? smallest_exponent : exponent) - 23 - unit;
  const auto kept = static_cast<std::uint32_t>(drop >= 0 ? magnitude >> drop : magnitude << -drop);
  if (subnormal && kept == 0) return 0.0f;
  const std::uint32_t field = subnormal ? 0u : static_cast<std::uint32_t>(exponent + 127);
  return std::bit_cast<float>(sign | (field << 23) | (kept & 0x7fffffu));
}

/// One pass: at most L products and the accumulator.
float aligned_pass(int fraction_bits, const Factors& a, const Factors& b, float c, bool& special) {
  std::array<std::int32_t, max_depth> exponent;
  std::int32_t largest = alignment_floor;
  for (int i = 0; i < max_depth; ++i) {
    exponent[i] = a.exponent[i] + b.exponent[i];
    // Zero products take no part in the alignment: a.exponent + b.exponent is below -3000 then.
    largest = std::max(largest, exponent[i]);
  }
  const auto c_bits = std::bit_cast<std::uint32_t>(c);
  const auto c_field = static_cast<std::int32_t>((c_bits >> 23) & 0xff);
  const auto c_fraction = static_cast<std::int32_t>(c_bits & 0x7fffff);
  const std::int32_t c_exponent = std::max(c_field, 1) - 127;
  special = c_field == 0xff || largest > special_exponent / 2;
  if (special) return 0;
  if (c_field != 0 || c_fraction != 0) largest = std::max(largest, c_exponent);  // subnormal numbers: -126

  const int lift = fraction_bits - product_fraction;
  std::int64_t sum = 0;
  for (int i = 0; i < max_depth; ++i) {
    const std::int32_t product = a.significand[i] * b.significand[i];
    const std::int32_t sign = product >> 31;
    const std::int32_t magnitude = ((product ^ sign) - sign) << lift;
    const std::int32_t kept = magnitude >> std::min(largest - exponent[i], 31);
    sum += (kept ^ sign) - sign;
  }
  const std::int32_t c_whole = (c_field == 0 ? c_fraction : c_fraction | 0x800000)
                               << (fraction_bits - 23);
  const std::int32_t c_kept = c_whole >> std::clamp(largest - c_exponent, 0, 31);
  sum += (c_bits >> 31) != 0 ? -c_kept : c_kept;
  return pack(sum, largest - fraction_bits);
}

float aligned_dot(const TensorCoreModel& model, std::span<const float> a, std::span<const float> b,
                  float c, Operand operand) {
  const auto depth = static_cast<std::size_t>(model.depth(operand));
  Factors x, y;
  for (std::size_t i = 0; i < a.size(); i += depth) {
    const int count = static_cast<int>(std::min(depth, a.size() - i));
    unpack(&a[i], count, operand, x);
    unpack(&b[i], count, operand, y);
    bool special = false;
    const float result = aligned_pass(model.fraction_bits, x, y, c, special);
    c = !special ? result
                 : special_pass([&](std::int64_t k) { return a[i + k]; },
                                [&](std::int64_t k) { return b[i + k]; }, count, c, operand);
  }
  return c;
}

float fma_dot(std::span<const float> a, std::span<const float> b, float c, Operand operand) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    c = std::fma(truncate_factor(a[i], operand), truncate_factor(b[i], operand), c);
  }
  return a.empty() ? c : one_nan(c);
}

}  // namespace

std::string_view operand_name(Operand operand) {
  switch (operand) {
    case Operand::bf16:
      return "bf16";
    case Operand::f16:
      return "f16";
    case Operand::tf32:
      return "tf32";
  }
  return "unknown";
}

std::span<const TensorCoreModel> tensor_core_table() { return models; }

const TensorCoreModel* find_tensor_core(std::string_view name) {
  const auto found = std::find_if(models.begin(), models.end(),
                                  [&](const TensorCoreModel& model) { return model.name == name; });
  return found == models.end() ? nullptr : &*found;
}

const TensorCoreModel& tensor_core(std::string_view name) {
  const TensorCoreModel* model = find_tensor_core(name);
  if (model == nullptr) throw std::logic_error("no tensor core named '" + std::string(name) + "'");
  return *model;
}

void tensor_core_detail::require_arithmetic(const TensorCoreModel& model, Operand operand) {
  if (model.accumulation == Accumulation::envelope || model.depth(operand) == 0) {
    throw std::logic_error("tensor core '" + std::string(model.name) + "' has no arithmetic for " +
                           std::string(operand_name(operand)));
  }
}

float tensor_core_dot(const TensorCoreModel& model, std::span<const float> a,
                      std::span<const float> b, float c, Operand operand) {
  if (a.size() != b.size()) throw std::logic_error("tensor_core_dot: lengths differ");
  require_arithmetic(model, operand);
  if (model.accumulation == Accumulation::fp32_fma) return fma_dot(a, b, c, operand);
  return aligned_dot(model, a, b, c, operand);
}

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Largest of `bound` over what `any` stands for.
template <class Bound>
double over_envelope(Bound bound) {
  double largest = 0;
  for (const TensorCoreModel& model : models) {
    if (model.name == "any" || model.name == "volta") continue;
    largest = std::max(largest, bound(model));
  }
  return largest;
}

double passes(const TensorCoreModel& model, Operand operand, std::int64_t n) {
  const std::int64_t depth = model.depth(operand);
  return static_cast<double>((n + depth - 1) / depth);
}

/// k u / (1 - k u), u = 2^-24, rounded up.
double gamma(std::int64_t k) {
  const double ku = std::ldexp(static_cast<double>(k), -24);
  return ku < 1 ? ku / (1 - ku) * (1 + 0x1p-50) : infinity;
}

}  // namespace

// Proofs: docs/tensor-core.md, theorems 1 to 3.
double accumulation_error(const TensorCoreModel& model, Operand operand, std::int64_t n) {
  if (n <= 0) return 0;
  if (model.accumulation == Accumulation::envelope) {
    return over_envelope([&](const auto& each) { return accumulation_error(each, operand, n); });
  }
  if (model.accumulation == Accumulation::fp32_fma) return gamma(n + 1);
  if (model.depth(operand) == 0) return infinity;
  // Exact in double: an integer multiple of 2^-F.
  const double pass = std::ldexp(model.depth(operand) + 1, -model.fraction_bits) + 0x1p-23;
  return passes(model, operand, n) * pass;
}

double accumulation_floor(const TensorCoreModel& model, Operand operand, std::int64_t n,
                          double largest) {
  if (n <= 0) return 0;
  if (model.accumulation == Accumulation::envelope) {
    return over_envelope(
        [&](const auto& each) { return accumulation_floor(each, operand, n, largest); });
  }
  if (model.accumulation == Accumulation::fp32_fma) {
    return 2 * static_cast<double>(n) * 0x1p-150 * (1 + gamma(n + 1)) * (1 + 0x1p-50);
  }
  if (model.depth(operand) == 0) return infinity;
  const double least = std::ldexp(1.0, min_exponent(operand));
  const double exponent = std::max(0x1p-126, least * std::max(largest, least));
  const double pass =
      std::ldexp((model.depth(operand) + 1) * exponent, -model.fraction_bits) + 0x1p-149;
  return passes(model, operand, n) * pass * (1 + 0x1p-50);
}

}  // namespace deltaproof
