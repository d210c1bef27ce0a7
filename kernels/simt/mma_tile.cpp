#include "kernels/simt/mma_tile.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>

#include "kernels/simt/fragments.hpp"
#include "kernels/simt/host_math.cuh"
#include "reference/tensor_core_pass.hpp"

namespace deltaproof {

using namespace tensor_core_detail;

namespace {

constexpr int rows = 16, columns = 8;
static_assert(columns == lanes);

using Halves = std::uint16_t __attribute__((vector_size(2 * lanes)));

/// Fragments of one warp.
struct Fragments {
  const std::uint32_t (&a)[32][4];
  const std::uint32_t (&b)[32][2];
};

/// Eight words of the fragments' kind, unpacked as `unpack_factor` does. `fraction` bits, at most 10, end a word.
template <int fraction, int largest_field>
FactorRow unpack(Bits word) {
  constexpr int bias = largest_field / 2;
  const Ints field = Ints(word >> fraction) & largest_field;
  const Ints low = Ints(word) & ((1 << fraction) - 1);
  const Ints magnitude = (field == 0 ? low : low | (1 << fraction)) << (10 - fraction);
  const Ints negative = -(Ints(word >> (fraction + std::bit_width(unsigned{largest_field}))) & 1);
  const Ints exponent = larger(field, Ints{} + 1) - bias;
  return {(magnitude ^ negative) - negative,
          field == largest_field ? Ints{} + special_exponent : magnitude == 0 ? Ints{} + zero_exponent : exponent};
}

/// What differs between 16-bit kinds.
template <int fraction, int largest_field, class Element, Operand type>
struct Kind16 {
  static constexpr Operand operand = type;
  static constexpr int depth = 16;

  /// Elements k to k + 7 of row i of A.
  static FactorRow unpack_a(const Fragments& in, int i, int k) {
    const simt::Place first = simt::place_a_16(i, k);
    std::uint32_t words[4];
    for (int t = 0; t < 4; ++t) words[t] = in.a[first.lane + t][first.reg];
    return unpack<fraction, largest_field>(__builtin_convertvector(std::bit_cast<Halves>(words), Bits));
  }
  /// Row k of B.
  static FactorRow unpack_b(const Fragments& in, int k) {
    const simt::Place first = simt::place_b_16(k, 0);
    Bits words;
    for (int j = 0; j < columns; ++j) words[j] = in.b[first.lane + 4 * j][first.reg];
    return unpack<fraction, largest_field>(first.half == 0 ? words & 0xffff : words >> 16);
  }
  static float value(std::uint32_t word, int half) {
    return simt::to_float(Element{static_cast<std::uint16_t>(word >> (16 * half))});
  }
  static float a(const Fragments& in, int i, int k) {
    const simt::Place p = simt::place_a_16(i, k);
    return value(in.a[p.lane][p.reg], p.half);
  }
  static float b(const Fragments& in, int k, int j) {
    const simt::Place p = simt::place_b_16(k, j);
    return value(in.b[p.lane][p.reg], p.half);
  }
};
using KindBf16 = Kind16<7, 255, simt::bf16, Operand::bf16>;
using KindF16 = Kind16<10, 31, simt::f16, Operand::f16>;

struct KindTf32 {
  static constexpr Operand operand = Operand::tf32;
  static constexpr int depth = 8;
  static constexpr int dropped = 13;  // fraction bits that the multiplier does not see

  static FactorRow unpack_a(const Fragments& in, int i, int k) {
    const simt::Place first = simt::place_a_tf32(i, k);
    Bits words;
    for (int t = 0; t < 4; ++t) {
      words[t] = in.a[first.lane + t][first.reg];
      words[t + 4] = in.a[first.lane + t][first.reg + 2];
    }
    return unpack<10, 255>(words >> dropped);
  }
  static FactorRow unpack_b(const Fragments& in, int k) {
    const simt::Place first = simt::place_b_tf32(k, 0);
    Bits words;
    for (int j = 0; j < columns; ++j) words[j] = in.b[first.lane + 4 * j][first.reg];
    return unpack<10, 255>(words >> dropped);
  }
  static float a(const Fragments& in, int i, int k) {
    const simt::Place p = simt::place_a_tf32(i, k);
    return std::bit_cast<float>(in.a[p.lane][p.reg]);
  }
  static float b(const Fragments& in, int k, int j) {
    const simt::Place p = simt::place_b_tf32(k, j);
    return std::bit_cast<float>(in.b[p.lane][p.reg]);
  }
};

Bits load_row(const float (&c)[32][4], int i) {
  Bits row;
  for (int j = 0; j < columns; ++j) {
    const simt::Place p = simt::place_c(i, j);
    row[j] = std::bit_cast<std::uint32_t>(c[p.lane][p.reg]);
  }
  return row;
}

void store_row(const Bits& row, int i, float (&d)[32][4]) {
  for (int j = 0; j < columns; ++j) {
    const simt::Place p = simt::place_c(i, j);
    d[p.lane][p.reg] = std::bit_cast<float>(std::uint32_t{row[j]});
  }
}

/// One warp's product. Kind: how its fragments are read; L: products a pass.
template <class Kind, int L>
struct Tile {
  const TensorCoreModel& model;
  const Fragments& in;
  Factor a[rows][Kind::depth];
  FactorRow b[Kind::depth];

  void unpack_all() {
    for (int k = 0; k < Kind::depth; ++k) b[k] = Kind::unpack_b(in, k);
    for (int i = 0; i < rows; ++i) {
      for (int k = 0; k < Kind::depth; k += 8) {
        const FactorRow row = Kind::unpack_a(in, i, k);
        const Ints first = __builtin_shufflevector(row.significand, row.exponent, 0, 8, 1, 9, 2, 10, 3, 11);
        const Ints last = __builtin_shufflevector(row.significand, row.exponent, 4, 12, 5, 13, 6, 14, 7, 15);
        std::memcpy(static_cast<void*>(&a[i][k]), &first, sizeof first);
        std::memcpy(static_cast<void*>(&a[i][k + 4]), &last, sizeof last);
      }
    }
  }

  void repair(int i, int k, const Bits& sum, const Ints& special, Bits& result) const {
    for (int j = 0; j < columns; ++j) {
      if (special[j] == 0) continue;
      const float d = special_pass([&](std::int64_t l) { return Kind::a(in, i, k + static_cast<int>(l)); },
                                   [&](std::int64_t l) { return Kind::b(in, k + static_cast<int>(l), j); }, L,
                                   std::bit_cast<float>(std::uint32_t{sum[j]}), Kind::operand);
      result[j] = std::bit_cast<std::uint32_t>(d);
    }
  }

  void run(const float (&c)[32][4], float (&d)[32][4]) {
    unpack_all();
    const Pass pass{model.fraction_bits};
    for (int i = 0; i < rows; ++i) {
      Bits sum = load_row(c, i);
      for (int k = 0; k < Kind::depth; k += L) {
        Ints special;
        Bits result = pass(&a[i][k], &b[k], L, sum, special);
        if (any(special)) repair(i, k, sum, special, result);
        sum = result;
      }
      store_row(sum, i, d);
    }
  }
};

template <class Kind>
void fused_tile(const Fragments& in, const float (&c)[32][4], float (&d)[32][4]) {
  float b[Kind::depth][columns];
  for (int k = 0; k < Kind::depth; ++k) {
    for (int j = 0; j < columns; ++j) b[k][j] = truncate_factor(Kind::b(in, k, j), Kind::operand);
  }
  for (int i = 0; i < rows; ++i) {
    auto sum = std::bit_cast<Floats>(load_row(c, i));
    for (int k = 0; k < Kind::depth; ++k) {
      const float x = truncate_factor(Kind::a(in, i, k), Kind::operand);
      for (int j = 0; j < columns; ++j) sum[j] = std::fma(x, b[k][j], sum[j]);
    }
    for (int j = 0; j < columns; ++j) sum[j] = one_nan(sum[j]);
    store_row(std::bit_cast<Bits>(sum), i, d);
  }
}

template <class Kind>
void tile(const TensorCoreModel& model, const Fragments& in, const float (&c)[32][4], float (&d)[32][4]) {
  require_arithmetic(model, Kind::operand);
  if (model.accumulation == Accumulation::fp32_fma) return fused_tile<Kind>(in, c, d);
  const int depth = model.depth(Kind::operand);
  if (depth == 16) {
    if constexpr (Kind::depth == 16) return Tile<Kind, 16>{model, in, {}, {}}.run(c, d);
  }
  if (depth == 8) return Tile<Kind, 8>{model, in, {}, {}}.run(c, d);
  if (depth == 4) return Tile<Kind, 4>{model, in, {}, {}}.run(c, d);
  throw std::logic_error("mma_tile: no pass of " + std::to_string(depth) + " products");
}

}  // namespace

void mma_tile(simt_mma_kind kind, const TensorCoreModel& model, const std::uint32_t (&a)[32][4],
              const std::uint32_t (&b)[32][2], const float (&c)[32][4], float (&d)[32][4]) {
  const Fragments in{a, b};
  switch (kind) {
    case simt_mma_m16n8k16_bf16:
      return tile<KindBf16>(model, in, c, d);
    case simt_mma_m16n8k16_f16:
      return tile<KindF16>(model, in, c, d);
    case simt_mma_m16n8k8_tf32:
      return tile<KindTf32>(model, in, c, d);
  }
  throw std::logic_error("mma_tile: no kind " + std::to_string(kind));
}

}  // namespace deltaproof
