#pragma once

#include <bit>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "reference/problem/tensor.hpp"

namespace deltaproof {

static_assert(std::endian::native == std::endian::little, "tensors hold little-endian bytes");

/// Element `at` of an array of T in unaligned bytes.
template <class T>
T load_as(const std::byte* bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes + at * sizeof(T), sizeof(T));
  return value;
}

/// Calls `body(loader)` with the loader of a floating dtype, `double loader(bytes, flat)`: the
/// dtype is looked at once, outside the loop over elements.
template <class Body>
auto with_loader(Dtype dtype, Body&& body) {
  using Flat = std::int64_t;
  const auto at = [](Flat flat) { return static_cast<std::size_t>(flat); };
  switch (dtype) {
    case Dtype::bf16:
      return body([at](const std::byte* bytes, Flat flat) {
        const auto bits = static_cast<std::uint32_t>(load_as<std::uint16_t>(bytes, at(flat))) << 16;
        return static_cast<double>(std::bit_cast<float>(bits));
      });
    case Dtype::f16:
      return body([at](const std::byte* bytes, Flat flat) {
        return f16_to_double(load_as<std::uint16_t>(bytes, at(flat)));
      });
    case Dtype::f32:
      return body([at](const std::byte* bytes, Flat flat) {
        return static_cast<double>(load_as<float>(bytes, at(flat)));
      });
    case Dtype::f64:
      return body(
          [at](const std::byte* bytes, Flat flat) { return load_as<double>(bytes, at(flat)); });
    case Dtype::i32:
    case Dtype::i64:
      break;
  }
  throw std::logic_error("values of an integer tensor");
}

}  // namespace deltaproof
