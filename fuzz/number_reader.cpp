#include "fuzz/number_reader.hpp"

#include <algorithm>
#include <cmath>

namespace deltaproof::fuzz {
namespace {

double edge(const Format& format, unsigned which) {
  const double ulp = std::ldexp(1.0, 1 - format.significant_bits);  // at 1
  const double largest = (2 - ulp) * std::ldexp(1.0, format.max_exponent);
  const double normal = std::ldexp(1.0, format.min_exponent);
  const double edges[] = {0.0,        normal * ulp, 3 * normal * ulp,      normal, normal * (1 - ulp), 1 + ulp,
                          1 - ulp / 2, largest,      largest * (1 - ulp), 1.5};
  const double value = edges[(which >> 1) % std::size(edges)];
  return (which & 1) != 0 ? -value : value;
}

double code(ByteReader& reader, const Format& format, Mix mix) {
  unsigned byte = reader.byte();
  if (mix == Mix::small) return (static_cast<double>(byte & 127) - 64) / 1024;
  if (mix == Mix::ordinary) byte &= 127;
  if (mix == Mix::sparse) {
    if (byte < 192) return 0;
    byte = reader.byte();
  }
  if (byte < 128) return (static_cast<double>(byte) - 64) / 16;
  if (byte < 192) {  // 32 powers of two over the whole range, and their negatives
    const int span = format.max_exponent - format.min_exponent;
    const double power = std::ldexp(1.0, format.min_exponent + span * static_cast<int>((byte - 128) / 2) / 31);
    return (byte & 1) != 0 ? -power : power;
  }
  if (byte < 232) return edge(format, byte - 192);
  return double{reader.raw<float>()};
}

}  // namespace

Mix read_mix(ByteReader& reader) {
  constexpr Mix mixes[] = {Mix::any, Mix::ordinary, Mix::sparse, Mix::small};
  return reader.pick(mixes);
}

double read_number(ByteReader& reader, const Format& format, Mix mix) {
  const double value = round_to_nearest_even(format, code(reader, format, mix));
  if (std::isnan(value)) return 0;
  const double ulp = std::ldexp(1.0, 1 - format.significant_bits);
  const double largest = (2 - ulp) * std::ldexp(1.0, format.max_exponent);
  return std::clamp(value, -largest, largest);
}

float read_float(ByteReader& reader, Mix mix) { return static_cast<float>(code(reader, formats::f32, mix)); }

}  // namespace deltaproof::fuzz
