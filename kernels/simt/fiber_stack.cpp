#include "kernels/simt/fiber_stack.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

namespace deltaproof {

FiberStack::FiberStack(std::size_t colour, std::size_t size) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  mapped_ = page + (size + page - 1) / page * page;
  constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* const mapping = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (mapping == MAP_FAILED || mprotect(mapping, page, PROT_NONE) != 0) {
    const int error = errno;
    if (mapping != MAP_FAILED) munmap(mapping, mapped_);
    throw std::runtime_error("stack of a kernel thread (" + std::to_string(mapped_) + " bytes): " +
                             std::strerror(error) + "; run fewer OS threads or raise the limit of maps");
  }
  mapping_ = static_cast<std::byte*>(mapping);
  low_ = mapping_ + page;
  // 64 bytes a cache line; an odd number of lines walks through every set of a 4096-byte page.
  high_ = mapping_ + mapped_ - colour * 13 % 64 * 64;
}

FiberStack::~FiberStack() { munmap(mapping_, mapped_); }

}  // namespace deltaproof
