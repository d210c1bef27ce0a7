#pragma once

#include <cstdint>

/// 16-bit floating-point elements of kernels, as bits. Conversions: device.cuh and host_math.cuh.
namespace simt {

struct bf16 {
  std::uint16_t bits;
};

struct f16 {
  std::uint16_t bits;
};

/// What a conversion to either type makes of any NaN.
constexpr std::uint16_t nan_16 = 0x7fff;

}  // namespace simt
