#include <cstdint>
#include <cstdio>

#include "kernels/simt/host_memory.hpp"

namespace deltaproof {

namespace {

/// Addresses below this are a null pointer with an index.
constexpr std::uintptr_t null_extent = 1 << 16;
/// Further from every buffer than this, the nearest one is no help.
constexpr std::uintptr_t far_away = std::uintptr_t{1} << 30;

std::uintptr_t number(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

/// Bytes between the access and the buffer; 0 if they touch.
std::uintptr_t distance(const HostBuffer& buffer, std::uintptr_t begin, std::uintptr_t end) {
  const std::uintptr_t first = number(buffer.data());
  const std::uintptr_t last = first + buffer.size();
  if (begin >= last) return begin - last;
  return end <= first ? first - end : 0;
}

const HostBuffer* nearest(const HostMemory& memory, std::uintptr_t begin, std::uintptr_t end) {
  const HostBuffer* found = nullptr;
  std::uintptr_t least = far_away;
  for (const auto& buffer : memory.buffers()) {
    const std::uintptr_t d = distance(*buffer, begin, end);
    if (d < least) {
      least = d;
      found = buffer.get();
    }
  }
  return found;
}

}  // namespace

const char* describe_address(const HostMemory* memory, const void* address, std::size_t bytes, char* out,
                             std::size_t capacity) {
  const std::uintptr_t begin = number(address);
  const std::uintptr_t end = begin + bytes;
  const HostBuffer* buffer = memory == nullptr ? nullptr : nearest(*memory, begin, end);
  if (begin < null_extent) {
    std::snprintf(out, capacity, "%zu bytes from a null pointer", static_cast<std::size_t>(begin));
  } else if (buffer == nullptr) {
    std::snprintf(out, capacity, "address %p, which is in or near no buffer of the launch", address);
  } else {
    const std::uintptr_t first = number(buffer->data());
    const std::uintptr_t last = first + buffer->size();
    const BufferLayout& layout = buffer->layout();
    char name[256];
    std::snprintf(name, sizeof name, "buffer %s (%s%s%zu bytes)", layout.name.c_str(), layout.shape.c_str(),
                  layout.shape.empty() ? "" : ", ", buffer->size());
    if (begin >= last) {
      std::snprintf(out, capacity, "%zu bytes beyond the end of %s", begin - last, name);
    } else if (begin < first) {
      std::snprintf(out, capacity, "%zu bytes before the start of %s", first - begin, name);
    } else {
      std::snprintf(out, capacity, "byte %zu of %s%s", begin - first, name, end > last ? ", across its end" : "");
    }
  }
  return out;
}

}  // namespace deltaproof
