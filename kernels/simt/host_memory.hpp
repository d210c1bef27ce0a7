#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace deltaproof {

/// What a kernel may do with a buffer.
enum class BufferUse {
  input,     ///< read only: a write faults
  output,    ///< written by the kernel; poisoned before
  in_place,  ///< contents given, then read and written
};

/// How a buffer is called in messages and how it is laid out.
struct BufferLayout {
  std::string name;               ///< "v"
  std::string shape;              ///< "[B, T, HV, V]"; may be empty
  std::size_t element_bytes = 4;  ///< 1, 2, 4 or 8
  std::size_t alignment = 16;     ///< of its first byte: a power of two, 4096 at most
};

/// One buffer of the host executor's "device" memory. Its end lies at an inaccessible page, up to the slack that
/// the alignment costs (less than `alignment` bytes, filled with a pattern that `HostMemory::damage` checks);
/// another inaccessible page lies before it. A start aligned to 256 and an end flush with a page exclude each
/// other, so the default alignment is 16, the widest vector access; ask for more where a kernel needs it.
class HostBuffer {
 public:
  static constexpr std::byte poison_byte{0xff};  ///< NaN in every float type
  static constexpr std::byte guard_byte{0xa5};

  /// Throws `std::runtime_error` if the memory cannot be had, `std::invalid_argument` for a bad layout.
  HostBuffer(BufferLayout layout, std::size_t size, BufferUse use);
  ~HostBuffer();
  HostBuffer(const HostBuffer&) = delete;
  HostBuffer& operator=(const HostBuffer&) = delete;

  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }  ///< bytes
  const BufferLayout& layout() const { return layout_; }
  BufferUse use() const { return use_; }
  /// Every byte was given by the host since the last `poison`.
  bool initialised() const { return initialised_; }
  /// Changes with every `copy_in` and `poison`: what a checker knows of earlier writes is then void.
  unsigned generation() const { return generation_; }

  /// Replaces the contents; `bytes` must be as long as the buffer (else `std::invalid_argument`).
  void copy_in(std::span<const std::byte> bytes);
  /// Fills with `poison_byte` and forgets what was written. Not for inputs (`std::logic_error`).
  void poison();
  /// The first byte of the slack that a kernel changed, in words.
  std::optional<std::string> damage() const;

 private:
  void protect(bool writable);

  BufferLayout layout_;
  BufferUse use_;
  std::size_t size_;
  std::size_t pages_bytes_ = 0;     ///< accessible pages between the two guards
  std::byte* mapping_ = nullptr;    ///< the guard page before them
  std::byte* pages_ = nullptr;
  std::byte* data_ = nullptr;
  bool initialised_ = false;
  unsigned generation_ = 0;
};

/// The buffers of one problem. Built by one thread; read by the threads that run a launch.
class HostMemory {
 public:
  HostBuffer& input(BufferLayout layout, std::span<const std::byte> contents);
  HostBuffer& in_place(BufferLayout layout, std::span<const std::byte> contents);
  HostBuffer& output(BufferLayout layout, std::size_t size);

  const std::vector<std::unique_ptr<HostBuffer>>& buffers() const { return buffers_; }
  /// Call after each launch: the first buffer whose slack was overwritten, in words.
  std::optional<std::string> damage() const;

 private:
  HostBuffer& add(BufferLayout layout, std::size_t size, BufferUse use);
  std::vector<std::unique_ptr<HostBuffer>> buffers_;
};

/// Where `bytes` bytes at `address` lie with respect to the nearest buffer, as "8 bytes beyond the end of buffer
/// v ([B, T, HV, V], 4096 bytes)". Allocates nothing. `memory` null: only the address. Returns `out`.
const char* describe_address(const HostMemory* memory, const void* address, std::size_t bytes, char* out,
                             std::size_t capacity);

}  // namespace deltaproof
