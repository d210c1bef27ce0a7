#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "fuzz/finding.hpp"

namespace deltaproof::fuzz {

/// Takes an input apart from its front. Behind its end stand pseudo-random bytes that follow from `tail_seed`, so that
/// a short input makes a whole problem, too, and a byte that changes changes nothing far away.
class ByteReader {
 public:
  explicit ByteReader(Bytes bytes) : bytes_(bytes) {}

  /// From here on decides what follows the end.
  void set_tail_seed(std::uint32_t seed) { state_ = seed; }
  bool at_end() const { return at_ >= bytes_.size(); }

  std::uint8_t byte() {
    if (!at_end()) return bytes_[at_++];
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint8_t>(state_ >> 56);
  }
  template <class Number>
    requires(std::is_trivially_copyable_v<Number> && sizeof(Number) <= 8)
  Number raw() {
    std::uint64_t bits = 0;
    for (unsigned shift = 0; shift < 8 * sizeof(Number); shift += 8) bits |= std::uint64_t{byte()} << shift;
    Number value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  /// From 0 to `count` - 1; `count` is at most 256.
  std::size_t below(std::size_t count) { return byte() % count; }
  std::int64_t from_to(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(below(static_cast<std::size_t>(high - low + 1)));
  }
  bool flag() { return (byte() & 1) != 0; }
  template <class List>
  auto pick(const List& list) {
    return *(std::begin(list) + static_cast<std::ptrdiff_t>(below(std::size(list))));
  }

 private:
  Bytes bytes_;
  std::size_t at_ = 0;
  std::uint64_t state_ = 0;
};

}  // namespace deltaproof::fuzz
