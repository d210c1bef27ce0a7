#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "reference/tensor_core_factors.hpp"

// Without AVX the compiler warns that such vectors are passed in another way than with it: none
// leaves this file.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace deltaproof {

using namespace tensor_core_detail;

namespace {

// Eight elements of a row of C at once, in 32-bit lanes: vectors of the compiler, which are AVX2
// registers where there are some.
constexpr int lanes = 8;
using Ints = std::int32_t __attribute__((vector_size(4 * lanes)));
using Bits = std::uint32_t __attribute__((vector_size(4 * lanes)));
using Floats = float __attribute__((vector_size(4 * lanes)));

Ints larger(Ints x, Ints y) { return x > y ? x : y; }
Ints smaller(Ints x, Ints y) { return x < y ? x : y; }
bool any(Ints mask) {
  using Words = std::int64_t __attribute__((vector_size(4 * lanes)));
  const auto words = std::bit_cast<Words>(mask);
  return (words[0] | words[1] | words[2] | words[3]) != 0;
}

/// One row of eight columns of B.
struct FactorRow {
  Ints significand, exponent;
};

/// One pass of eight elements: `count` products and the accumulators. Lanes that see infinity or
/// NaN are marked, and their result has no meaning.
struct Pass {
  int fraction_bits;

  Bits operator()(const Factor* a, const FactorRow* b, int count, const Bits& c,
                  Ints& special) const {
    const Ints c_field = Ints(c >> 23) & 0xff;
    const Ints c_exponent = larger(c_field, Ints{} + 1) - 127;
    Ints largest = c_exponent;  // at least -126
    for (int i = 0; i < count; ++i) largest = larger(largest, a[i].exponent + b[i].exponent);
    special = (c_field == 0xff) | (largest > special_exponent / 2);

    // At most 16 (2^11 - 1)^2 2^5 in absolute value: fits.
    Ints sum{};
    const int lift = fraction_bits - product_fraction;
    for (int i = 0; i < count; ++i) {
      const Ints product = a[i].significand * b[i].significand;
      const Ints sign = product >> 31;
      const Ints drop = smaller(largest - (a[i].exponent + b[i].exponent), Ints{} + 31);
      sum += (((((product ^ sign) - sign) << lift) >> drop) ^ sign) - sign;
    }
    const Ints c_fraction = Ints(c & 0x7fffff);
    const Ints c_whole = (c_field == 0 ? c_fraction : c_fraction | 0x800000)
                         << (fraction_bits - 23);
    const Ints c_sign = Ints(c) >> 31;
    const Ints c_kept = c_whole >> smaller(largest - c_exponent, Ints{} + 31);
    return pack(sum, (c_kept ^ c_sign) - c_sign, largest - fraction_bits);
  }

  /// (x + y) 2^unit truncated to fp32; a sum of zero is +0. |x + y| < 2^32.
  static Bits pack(Ints x, Ints y, Ints unit) {
    const Bits sum = Bits(x) + Bits(y);
    const Bits overflow = ~(Bits(x) ^ Bits(y)) & (Bits(x) ^ sum);
    const Bits sign = (sum ^ overflow) >> 31;
    Bits magnitude = (sum ^ (0 - sign)) + sign;
    const Bits wide = magnitude >> 31;  // for the signed conversion; the bit lost is not kept
    magnitude >>= wide;
    unit += Ints(wide);
    // If the leading bit is bit p >= 24, bit p - 24 is cleared here, the first that fp32 does not
    // hold, and none that it holds: the conversion to nearest truncates.
    const Ints convertible = Ints(magnitude & ~(magnitude >> 24));
    const auto converted = std::bit_cast<Ints>(__builtin_convertvector(convertible, Floats));
    const Ints field = (converted >> 23) + unit;
    const Ints fraction = converted & 0x7fffff;
    const Ints subnormal = (fraction | 0x800000) >> smaller(larger(1 - field, Ints{}), Ints{} + 31);
    const Ints normal = (smaller(field, Ints{} + 255) << 23) | (field < 255 ? fraction : Ints{});
    const Ints packed = convertible == 0 ? Ints{} : field < 1 ? subnormal : normal;
    return Bits(packed) | (sign << 31);
  }
};

struct Product {
  const TensorCoreModel& model;
  Operand operand;
  std::int64_t m, n, k;
  StridedMatrix<const float> a, b;
  StridedMatrix<float> c;

  std::vector<Factor> unpack_a() const {
    std::vector<Factor> factors(static_cast<std::size_t>(m * k));
    const std::int32_t least = min_exponent(operand);
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t l = 0; l < k; ++l) factors[i * k + l] = unpack_factor(a(i, l), least);
    }
    return factors;
  }

  /// Columns `first` to first + count of B; what the other lanes answer is not read.
  void unpack_b(std::int64_t first, int count, std::vector<FactorRow>& panel) const {
    const std::int32_t least = min_exponent(operand);
    for (std::int64_t l = 0; l < k; ++l) {
      FactorRow row{};
      for (int j = 0; j < count; ++j) {
        const Factor factor = unpack_factor(b(l, first + j), least);
        row.significand[j] = factor.significand;
        row.exponent[j] = factor.exponent;
      }
      panel[l] = row;
    }
  }

  /// The chains of elements (i, first) to (i, first + count) of C.
  void chain(const Factor* row, const std::vector<FactorRow>& panel, std::int64_t i,
             std::int64_t first, int count) const {
    const Pass pass{model.fraction_bits};
    const int depth = model.depth(operand);
    Bits sum{};
    for (int j = 0; j < count; ++j) sum[j] = std::bit_cast<std::uint32_t>(c(i, first + j));
    for (std::int64_t l = 0; l < k; l += depth) {
      const int length = static_cast<int>(std::min<std::int64_t>(depth, k - l));
      Ints special;
      Bits result = pass(row + l, &panel[l], length, sum, special);
      if (any(special)) {
        for (int j = 0; j < count; ++j) {
          if (special[j] != 0) {
            result[j] = std::bit_cast<std::uint32_t>(
                special_pass([&](std::int64_t r) { return a(i, l + r); },
                             [&](std::int64_t r) { return b(l + r, first + j); }, length,
                             std::bit_cast<float>(std::uint32_t{sum[j]}), operand));
          }
        }
      }
      sum = result;
    }
    for (int j = 0; j < count; ++j) c(i, first + j) = std::bit_cast<float>(std::uint32_t{sum[j]});
  }

  void aligned() const {
    const std::vector<Factor> rows = unpack_a();
    std::vector<FactorRow> panel(static_cast<std::size_t>(k));
    for (std::int64_t first = 0; first < n; first += lanes) {
      const int count = static_cast<int>(std::min<std::int64_t>(lanes, n - first));
      unpack_b(first, count, panel);
      for (std::int64_t i = 0; i < m; ++i) chain(&rows[i * k], panel, i, first, count);
    }
  }

  void fused() const {
    std::vector<float> factors(static_cast<std::size_t>(k * n)), sums(static_cast<std::size_t>(n));
    for (std::int64_t l = 0; l < k; ++l) {
      for (std::int64_t j = 0; j < n; ++j) factors[l * n + j] = truncate_factor(b(l, j), operand);
    }
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t j = 0; j < n; ++j) sums[j] = c(i, j);
      for (std::int64_t l = 0; l < k; ++l) {
        const float x = truncate_factor(a(i, l), operand);
        const float* row = &factors[l * n];
        for (std::int64_t j = 0; j < n; ++j) sums[j] = std::fma(x, row[j], sums[j]);
      }
      for (std::int64_t j = 0; j < n; ++j) c(i, j) = one_nan(sums[j]);
    }
  }
};

}  // namespace

void tensor_core_product(const TensorCoreModel& model, Operand operand, std::int64_t m,
                         std::int64_t n, std::int64_t k, StridedMatrix<const float> a,
                         StridedMatrix<const float> b, StridedMatrix<float> c) {
  require_arithmetic(model, operand);
  if (m == 0 || n == 0 || k == 0) return;
  if (model.accumulation == Accumulation::fp32_fma) {
    Product{model, operand, m, n, k, a, b, c}.fused();
  } else if (n >= lanes || n >= m) {
    Product{model, operand, m, n, k, a, b, c}.aligned();
  } else {  // few columns: the lanes are rows of C
    Product{model, operand, n, m, k, b.transposed(), a.transposed(), c.transposed()}.aligned();
  }
}

}  // namespace deltaproof
