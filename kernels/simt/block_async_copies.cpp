#include "kernels/simt/block_async_copies.hpp"

#include <cstring>

#include "kernels/simt/shared_memory.hpp"

namespace deltaproof {

void AsyncCopies::issue(std::byte* shared, const void* global, std::uint32_t bytes, const char* file, int line) {
  AsyncCopy copy{shared, global, bytes, {}, open_group_, file, line};
  std::memcpy(copy.bytes, global, bytes);
  std::memset(shared, SharedMemory::poison, sizeof copy.bytes);
  copies_.push_back(copy);
}

bool AsyncCopies::source_changed(const AsyncCopy& copy) {
  return std::memcmp(copy.bytes, copy.global, copy.global_bytes) != 0;
}

void AsyncCopies::land(const AsyncCopy& copy) { std::memcpy(copy.shared, copy.bytes, sizeof copy.bytes); }

}  // namespace deltaproof
