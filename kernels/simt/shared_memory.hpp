#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/simt/checker_hooks.hpp"

namespace deltaproof {

/// Where a kernel's `__shared__` memory is: the TLS block of the library that `body` lies in.
struct SharedMemoryPlan {
  std::size_t module = 0;         ///< the library's number among those with TLS; 0: it has none
  std::size_t block_size = 0;     ///< bytes of its TLS block
  std::size_t dynamic_offset = 0; ///< of the `extern __shared__` array in the block
  std::size_t dynamic_size = 0;   ///< bytes in use
  std::size_t dynamic_capacity = 0;
};

/// Throws std::runtime_error if the launch asks for what the library does not have, or if `body` lies in the
/// executable, whose TLS is not only `__shared__`.
SharedMemoryPlan plan_shared_memory(const simt_launch_request& request);

/// Shared memory as one OS thread sees it during a launch.
class SharedMemory {
 public:
  /// Keeps what the library's TLS block holds; `detach` puts it back.
  void attach(const SharedMemoryPlan& plan);
  /// The first changed byte of the canary, as an offset into the dynamic array.
  std::optional<std::size_t> detach();

  /// Fills all that a block may use with `poison`, NaN in every type.
  void poison_block();
  /// The first changed byte of the canary's first part, as an offset into the dynamic array.
  std::optional<std::size_t> damage() const { return first_damage(near_canary); }

  MemoryRange static_range() const { return {base_, plan_.block_size, plan_.block_size}; }
  MemoryRange dynamic_range() const;
  bool contains(const void* address, std::size_t bytes) const;

  static constexpr unsigned char poison = 0xff;
  /// NaN in fp32, bf16, fp16 and fp64, and none that an instruction gives.
  static constexpr std::uint16_t canary = 0xfff5;
  /// Bytes of the canary that are looked at after every block; the rest after the launch.
  static constexpr std::size_t near_canary = 4096;

 private:
  std::optional<std::size_t> first_damage(std::size_t most) const;

  SharedMemoryPlan plan_;
  std::byte* base_ = nullptr;
  std::vector<std::byte> kept_;
};

}  // namespace deltaproof
