#pragma once

#include "fuzz/byte_reader.hpp"
#include "reference/problem/format.hpp"

namespace deltaproof::fuzz {

/// Which numbers an input makes. One of them is chosen by `read_mix`.
enum class Mix {
  any,       ///< half ordinary ones, the others powers of two, edges of the format and bits
  ordinary,  ///< sixteenths from -4 to 4
  sparse,    ///< mostly 0, else any
  small,     ///< ordinary ones over 64
};
Mix read_mix(ByteReader& reader);

/// A finite number of a format: of all bytes half make a sixteenth from -4 to 4, the others powers of two of all sizes,
/// the edges of the format (subnormal, largest, next to 1), or the bits of four more bytes.
double read_number(ByteReader& reader, const Format& format, Mix mix = Mix::any);

/// The same in fp32, with infinities and NaN among the bits.
float read_float(ByteReader& reader, Mix mix = Mix::any);

}  // namespace deltaproof::fuzz
