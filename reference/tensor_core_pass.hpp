#pragma once

// A pass of eight dot products at once, for tensor_core_product.cpp and the tiles of kernels/simt alone.

#include <bit>
#include <cstdint>

#include "reference/tensor_core_factors.hpp"

// Without AVX the compiler warns that such vectors are passed in another way than with it: none
// leaves the file that includes this one.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace deltaproof::tensor_core_detail {

// Eight elements of a row of C at once, in 32-bit lanes: vectors of the compiler, which are AVX2
// registers where there are some.
constexpr int lanes = 8;
using Ints = std::int32_t __attribute__((vector_size(4 * lanes)));
using Bits = std::uint32_t __attribute__((vector_size(4 * lanes)));
using Floats = float __attribute__((vector_size(4 * lanes)));

inline Ints larger(Ints x, Ints y) { return x > y ? x : y; }
inline Ints smaller(Ints x, Ints y) { return x < y ? x : y; }
inline bool any(Ints mask) {
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
    Ints largest = (Ints(c << 1) == 0) ? Ints{} + alignment_floor : c_exponent;
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
    const Ints c_kept = c_whole >> smaller(larger(largest - c_exponent, Ints{}), Ints{} + 31);
    return pack(sum, (c_kept ^ c_sign) - c_sign, largest - fraction_bits);
  }

  /// (x + y) 2^unit truncated to fp32; a zero, also one that truncation makes, is +0. |x + y| < 2^32.
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
    return Bits(packed) | (Bits(packed != 0) & (sign << 31));
  }
};

}  // namespace deltaproof::tensor_core_detail
