#include "kernels/simt/host_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

#include "kernels/simt/filled.hpp"

namespace deltaproof {

namespace {

std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

std::size_t round_up(std::size_t n, std::size_t unit) { return (n + unit - 1) / unit * unit; }

[[noreturn]] void refuse(const BufferLayout& layout, const std::string& what) {
  throw std::invalid_argument("buffer " + layout.name + ": " + what);
}

void validate(const BufferLayout& layout, std::size_t size) {
  if (!std::has_single_bit(layout.alignment) || layout.alignment > 4096) {
    refuse(layout, "alignment " + std::to_string(layout.alignment) + " is not a power of two up to 4096");
  }
  if (!std::has_single_bit(layout.element_bytes) || layout.element_bytes > 8) {
    refuse(layout, "elements of " + std::to_string(layout.element_bytes) + " bytes; 1, 2, 4 or 8 expected");
  }
  if (size > std::numeric_limits<std::size_t>::max() / 4) refuse(layout, "size overflows");
}

}  // namespace

HostBuffer::HostBuffer(BufferLayout layout, std::size_t size, BufferUse use)
    : layout_(std::move(layout)), use_(use), size_(size) {
  validate(layout_, size);
  const std::size_t page = page_bytes();
  const std::size_t extent = round_up(size, layout_.alignment);
  pages_bytes_ = round_up(extent == 0 ? 1 : extent, page);  // one page even if empty: distinct addresses
  const std::size_t total = pages_bytes_ + 2 * page;
  void* mapping = mmap(nullptr, total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) {
    throw std::runtime_error("buffer " + layout_.name + ": no memory for " + std::to_string(size) +
                             " bytes: mmap: " + std::strerror(errno));
  }
  mapping_ = static_cast<std::byte*>(mapping);
  pages_ = mapping_ + page;
  data_ = pages_ + (pages_bytes_ - extent);
  try {
    protect(true);
  } catch (...) {
    munmap(mapping_, total);
    throw;
  }
  std::memset(pages_, static_cast<int>(guard_byte), pages_bytes_);
  std::memset(data_, static_cast<int>(poison_byte), size_);
}

HostBuffer::~HostBuffer() { munmap(mapping_, pages_bytes_ + 2 * page_bytes()); }

void HostBuffer::protect(bool writable) {
  if (mprotect(pages_, pages_bytes_, writable ? PROT_READ | PROT_WRITE : PROT_READ) == 0) return;
  throw std::runtime_error("buffer " + layout_.name + ": mprotect of " + std::to_string(pages_bytes_) +
                           " bytes: " + std::strerror(errno));
}

void HostBuffer::copy_in(std::span<const std::byte> bytes) {
  if (bytes.size() != size_) {
    refuse(layout_, std::to_string(bytes.size()) + " bytes copied into " + std::to_string(size_));
  }
  protect(true);
  if (size_ != 0) std::memcpy(data_, bytes.data(), size_);
  initialised_ = true;
  ++generation_;
  if (use_ == BufferUse::input) protect(false);
}

void HostBuffer::poison() {
  if (use_ == BufferUse::input) throw std::logic_error("buffer " + layout_.name + ": an input is not poisoned");
  std::memset(data_, static_cast<int>(poison_byte), size_);
  initialised_ = false;
  ++generation_;
}

std::optional<std::string> HostBuffer::damage() const {
  const std::byte* const end = data_ + size_;
  if (is_filled(pages_, data_, guard_byte) && is_filled(end, pages_ + pages_bytes_, guard_byte)) return std::nullopt;
  for (const std::byte* p = pages_; p < pages_ + pages_bytes_; ++p) {
    if (p == data_) p = end;
    if (p == pages_ + pages_bytes_) break;
    if (*p == guard_byte) continue;
    const bool beyond = p >= end;
    const auto distance = static_cast<std::size_t>(beyond ? p - end : data_ - p);
    char text[512];
    std::snprintf(text, sizeof text,
                  "memory outside buffer %s (%s%s%zu bytes) was overwritten: byte %zu %s holds 0x%02x, was 0x%02x",
                  layout_.name.c_str(), layout_.shape.c_str(), layout_.shape.empty() ? "" : ", ", size_, distance,
                  beyond ? "beyond its end (0 is the first)" : "before its start", std::to_integer<unsigned>(*p),
                  std::to_integer<unsigned>(guard_byte));
    return text;
  }
  return std::nullopt;
}

HostBuffer& HostMemory::add(BufferLayout layout, std::size_t size, BufferUse use) {
  return *buffers_.emplace_back(std::make_unique<HostBuffer>(std::move(layout), size, use));
}

HostBuffer& HostMemory::input(BufferLayout layout, std::span<const std::byte> contents) {
  HostBuffer& buffer = add(std::move(layout), contents.size(), BufferUse::input);
  buffer.copy_in(contents);
  return buffer;
}

HostBuffer& HostMemory::in_place(BufferLayout layout, std::span<const std::byte> contents) {
  HostBuffer& buffer = add(std::move(layout), contents.size(), BufferUse::in_place);
  buffer.copy_in(contents);
  return buffer;
}

HostBuffer& HostMemory::output(BufferLayout layout, std::size_t size) {
  return add(std::move(layout), size, BufferUse::output);
}

std::optional<std::string> HostMemory::damage() const {
  for (const auto& buffer : buffers_) {
    if (auto found = buffer->damage()) return found;
  }
  return std::nullopt;
}

}  // namespace deltaproof
