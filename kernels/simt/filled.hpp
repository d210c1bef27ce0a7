#pragma once

#include <cstddef>
#include <cstring>

namespace deltaproof {

/// Whether a range holds `value` over and over, but for a rest that is shorter: it begins with it, and every other byte
/// is what stands one value before. Guard zones are looked at after every launch and are mostly larger than what they
/// guard, so this is memcmp and not a loop.
template <class Value>
bool is_filled(const std::byte* begin, const std::byte* end, const Value& value) {
  const auto bytes = static_cast<std::size_t>(end - begin) / sizeof value * sizeof value;
  if (bytes == 0) return true;
  return std::memcmp(begin, &value, sizeof value) == 0 &&
         std::memcmp(begin, begin + sizeof value, bytes - sizeof value) == 0;
}

}  // namespace deltaproof
