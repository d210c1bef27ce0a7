#pragma once

#include <cstddef>

namespace deltaproof {

/// Memory for one fiber's stack; an inaccessible page lies below it. Pages are taken when they are touched.
class FiberStack {
 public:
  static constexpr std::size_t default_size = std::size_t{256} << 10;

  /// `colour` shifts the top, so that the top frames of many stacks do not share cache sets.
  /// Throws std::runtime_error if the memory cannot be had.
  explicit FiberStack(std::size_t colour, std::size_t size = default_size);
  ~FiberStack();
  FiberStack(const FiberStack&) = delete;
  FiberStack& operator=(const FiberStack&) = delete;

  std::byte* low() const { return low_; }
  std::byte* high() const { return high_; }

 private:
  std::byte* mapping_;
  std::size_t mapped_;
  std::byte* low_;
  std::byte* high_;
};

}  // namespace deltaproof
