#include "kernels/cuda/device_memory.hpp"

#include <cstdint>
#include <limits>
#include <vector>

#include "kernels/cuda/status.hpp"

namespace deltaproof {
namespace {

constexpr std::size_t guard_bytes = 64 * 1024;  // a multiple of 256, to which cudaMalloc aligns
constexpr int poison_byte = 0xff;

/// Byte at an address of this parity: words of 16 bits are 0xffa5, a NaN in bf16 and f16, as are their pairs in f32.
unsigned char guard_byte(std::size_t address) { return address % 2 == 0 ? 0xa5 : 0xff; }

std::vector<unsigned char> guard_pattern(std::size_t first) {
  std::vector<unsigned char> pattern(guard_bytes);
  for (std::size_t i = 0; i < guard_bytes; ++i) pattern[i] = guard_byte(first + i);
  return pattern;
}

unsigned char* data_of(const DeviceBuffer& buffer) { return static_cast<unsigned char*>(buffer.data); }

void copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, const char* what) {
  require_success(cudaMemcpy(to, from, bytes, kind), std::string("cudaMemcpy(") + what + ")");
}

/// Throws if the zone, whose first byte lies at offset `first` of the allocation, has changed. `where` says in words
/// where its byte i lies.
template <class Where>
void check_zone(const unsigned char* zone, std::size_t first, const std::string& name, const Where& where) {
  std::vector<unsigned char> now(guard_bytes);
  copy(now.data(), zone, guard_bytes, cudaMemcpyDeviceToHost, "guard zone to host");
  std::size_t changed = 0, example = 0;
  for (std::size_t i = guard_bytes; i-- > 0;) {
    if (now[i] == guard_byte(first + i)) continue;
    ++changed;
    example = i;
  }
  if (changed == 0) return;
  throw std::runtime_error("the kernel wrote outside buffer " + name + ": byte " + where(example) + " (" +
                           std::to_string(changed) + " bytes of its guard zone of " + std::to_string(guard_bytes) +
                           " changed)");
}

}  // namespace

DeviceBuffer allocate_guarded(std::size_t bytes) {
  if (bytes > std::numeric_limits<std::size_t>::max() - 2 * guard_bytes) {
    throw std::runtime_error("a buffer of " + std::to_string(bytes) + " bytes has no room for its guard zones");
  }
  const std::size_t whole = bytes + 2 * guard_bytes;
  void* allocation = nullptr;
  require_success(cudaMalloc(&allocation, whole), "cudaMalloc(" + std::to_string(whole) + " bytes)");
  DeviceBuffer buffer{static_cast<unsigned char*>(allocation) + guard_bytes, bytes, allocation};
  try {
    copy(allocation, guard_pattern(0).data(), guard_bytes, cudaMemcpyHostToDevice, "guard zone to device");
    copy(data_of(buffer) + bytes, guard_pattern(guard_bytes + bytes).data(), guard_bytes, cudaMemcpyHostToDevice,
         "guard zone to device");
    poison(buffer);
  } catch (...) {
    cudaFree(allocation);
    throw;
  }
  return buffer;
}

void poison(const DeviceBuffer& buffer) {
  require_success(cudaMemset(buffer.data, poison_byte, buffer.bytes),
                  "cudaMemset(" + std::to_string(buffer.bytes) + " bytes)");
}

void check_guards(const DeviceBuffer& buffer, const std::string& name) {
  const auto before = [](std::size_t i) { return std::to_string(guard_bytes - i) + " before its start"; };
  const auto after = [](std::size_t i) { return std::to_string(i) + " after its end"; };
  check_zone(static_cast<const unsigned char*>(buffer.allocation), 0, name, before);
  check_zone(data_of(buffer) + buffer.bytes, guard_bytes + buffer.bytes, name, after);
}

void release(DeviceBuffer& buffer) {
  void* allocation = buffer.allocation;
  buffer = {};
  require_success(cudaFree(allocation), "cudaFree");
}

}  // namespace deltaproof
