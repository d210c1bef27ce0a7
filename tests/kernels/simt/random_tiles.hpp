#pragma once

#include <bit>
#include <cstdint>
#include <random>

#include "kernels/simt/abi.hpp"

namespace deltaproof {

/// Fragments of one product of a warp.
struct MmaTile {
  std::uint32_t a[32][4], b[32][2];
  float c[32][4];
};

/// Regions of the number range that factors are drawn from.
enum class TileRegime {
  ordinary,    ///< exponents within eight of each other
  wide,        ///< every finite number
  edges,       ///< zeros, the smallest and largest of subnormal and normal numbers, ones; rarely infinity or NaN
  cancelling,  ///< few magnitudes, either sign
  vanishing,   ///< mostly zeros, else products about the smallest subnormal number (not in fp16, whose products are larger)
  any_bits,
};
constexpr TileRegime tile_regimes[] = {TileRegime::ordinary, TileRegime::wide, TileRegime::edges,
                                       TileRegime::cancelling, TileRegime::vanishing, TileRegime::any_bits};

/// Bits of a binary format.
struct FormatBits {
  int exponent, fraction;
  std::uint32_t one() const { return ((1u << (exponent - 1)) - 1) << fraction; }
  std::uint32_t infinity() const { return ((1u << exponent) - 1) << fraction; }
  std::uint32_t sign() const { return 1u << (exponent + fraction); }
};
constexpr FormatBits float_bits{8, 23};

inline FormatBits format_of(simt_mma_kind kind) {
  if (kind == simt_mma_m16n8k16_bf16) return {8, 7};
  return kind == simt_mma_m16n8k16_f16 ? FormatBits{5, 10} : float_bits;
}

class TileSource {
 public:
  explicit TileSource(std::uint64_t seed) : random_(seed) {}

  MmaTile draw(simt_mma_kind kind, TileRegime regime) {
    MmaTile tile;
    const FormatBits format = format_of(kind);
    for (auto& lane : tile.a) {
      for (auto& word : lane) word = draw_word(kind, format, regime);
    }
    for (auto& lane : tile.b) {
      for (auto& word : lane) word = draw_word(kind, format, regime);
    }
    for (auto& lane : tile.c) {
      for (float& number : lane) number = std::bit_cast<float>(draw_accumulator(regime));
    }
    return tile;
  }

  std::uint32_t draw_number(const FormatBits& format, TileRegime regime) {
    const auto bits = static_cast<std::uint32_t>(random_());
    const std::uint32_t sign = (bits & 1) != 0 ? format.sign() : 0;
    const std::uint32_t any = bits >> 1 & (format.sign() - 1);
    const std::uint32_t fraction = any & ((1u << format.fraction) - 1);
    switch (regime) {
      case TileRegime::ordinary:
        return sign | ((format.one() >> format.fraction) - 4 + any % 8) << format.fraction | random_fraction(format);
      case TileRegime::wide:
        return sign | (any >= format.infinity() ? fraction : any);
      case TileRegime::edges:
        return sign | edge(format, any);
      case TileRegime::cancelling:
        return sign | (format.one() + (any % 3 << format.fraction) + any / 3 % 2);
      case TileRegime::vanishing:  // exponents about half of -150
        if (any % 8 != 0 || format.exponent < 8) return sign;
        return sign | ((format.one() >> format.fraction) - 80 + any / 8 % 12) << format.fraction | random_fraction(format);
      case TileRegime::any_bits:
        break;
    }
    return sign | any;
  }

 private:
  // Of vanishing products: zero or a few of the smallest subnormal number.
  std::uint32_t draw_accumulator(TileRegime regime) {
    if (regime != TileRegime::vanishing) return draw_number(float_bits, regime);
    const auto bits = static_cast<std::uint32_t>(random_());
    return ((bits & 1) != 0 ? float_bits.sign() : 0) | (bits >> 1 & 3);
  }
  std::uint32_t random_fraction(const FormatBits& format) {
    return static_cast<std::uint32_t>(random_()) & ((1u << format.fraction) - 1);
  }
  static std::uint32_t edge(const FormatBits& format, std::uint32_t any) {
    const std::uint32_t smallest_normal = 1u << format.fraction;
    const std::uint32_t edges[] = {0, 1, smallest_normal - 1, smallest_normal, format.one(), format.infinity() - 1};
    if (any % 256 == 0) return format.infinity() + (any / 256 % 4);
    return edges[any / 256 % 6];
  }
  std::uint32_t draw_word(simt_mma_kind kind, const FormatBits& format, TileRegime regime) {
    const std::uint32_t low = draw_number(format, regime);
    if (kind == simt_mma_m16n8k8_tf32) return low;
    return low | draw_number(format, regime) << 16;
  }

  std::mt19937_64 random_;
};

}  // namespace deltaproof
