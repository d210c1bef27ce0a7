#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace deltaproof {

/// Number `index` (taken round) of the values at which kernels change: of gates, where a clamp at -5 or -20 begins, where
/// exp leaves bf16's digits or fp32's range; of writes, no step, half, a full one, a reflection and a little more.
inline double critical_value(std::string_view tensor, std::int64_t index) {
  constexpr std::array gates = {0.0, -0x1p-20, -0x1p-9, -0.5, -5.5, -20.5, -44.0, -88.0, -104.0, -1e4};
  constexpr std::array writes = {0.0, 0x1p-20, 0.5, 0.99609375, 1.0, 1.9765625, 2.0, 2.03125};
  const auto number = static_cast<std::uint64_t>(index);
  return tensor == "g" ? gates[number % gates.size()] : writes[number % writes.size()];
}

}  // namespace deltaproof
