/// What code compiled with `-fsanitize=thread` calls before its accesses, in place of the compiler's own runtime
/// library (which is not linked). Names and signatures are those of g++ and clang++.

#include <cstddef>
#include <cstring>

#include "kernels/simt/checker_access.hpp"

namespace deltaproof::checker {

namespace {

[[gnu::always_inline]] inline void instrumented(const void* address, std::size_t bytes, bool is_write,
                                                const void* code) {
  BlockChecker* const checker = running_checker;
  if (checker != nullptr) checker->instrumented(address, bytes, is_write, code);
}

/// The compilers name the size alone only if the type is aligned to it, or to 8.
[[gnu::always_inline]] inline void aligned(const void* address, std::size_t bytes, bool is_write, const void* code) {
  BlockChecker* const checker = running_checker;
  if (checker == nullptr) return;
  const std::size_t alignment = bytes < 8 ? bytes : 8;
  if (number(address) % alignment != 0) checker->misaligned(address, bytes, is_write, code);
  checker->instrumented(address, bytes, is_write, code);
}

}  // namespace

}  // namespace deltaproof::checker

using deltaproof::checker::aligned;
using deltaproof::checker::instrumented;

#define DELTAPROOF_CODE __builtin_return_address(0)
#define DELTAPROOF_ACCESS(name, check, bytes, is_write) \
  void name(const void* address) { check(address, bytes, is_write, DELTAPROOF_CODE); }
#define DELTAPROOF_SIZED(bytes)                                                         \
  DELTAPROOF_ACCESS(__tsan_read##bytes, aligned, bytes, false)                          \
  DELTAPROOF_ACCESS(__tsan_write##bytes, aligned, bytes, true)                          \
  DELTAPROOF_ACCESS(__tsan_volatile_read##bytes, aligned, bytes, false)                 \
  DELTAPROOF_ACCESS(__tsan_volatile_write##bytes, aligned, bytes, true)                 \
  DELTAPROOF_ACCESS(__tsan_unaligned_read##bytes, instrumented, bytes, false)           \
  DELTAPROOF_ACCESS(__tsan_unaligned_write##bytes, instrumented, bytes, true)           \
  DELTAPROOF_ACCESS(__tsan_unaligned_volatile_read##bytes, instrumented, bytes, false)  \
  DELTAPROOF_ACCESS(__tsan_unaligned_volatile_write##bytes, instrumented, bytes, true)  \
  void __tsan_read_write##bytes(const void* address) {                                  \
    aligned(address, bytes, false, DELTAPROOF_CODE);                                    \
    aligned(address, bytes, true, DELTAPROOF_CODE);                                     \
  }

// The compilers declare some of these themselves, with other pointer types.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wbuiltin-declaration-mismatch"
#pragma GCC diagnostic ignored "-Wmissing-declarations"

extern "C" {

void __tsan_init() {}
void __tsan_func_entry(const void*) {}
void __tsan_func_exit() {}

DELTAPROOF_SIZED(1)
DELTAPROOF_SIZED(2)
DELTAPROOF_SIZED(4)
DELTAPROOF_SIZED(8)
DELTAPROOF_SIZED(16)

void __tsan_read_range(const void* address, std::size_t bytes) {
  instrumented(address, bytes, false, DELTAPROOF_CODE);
}
void __tsan_write_range(const void* address, std::size_t bytes) {
  instrumented(address, bytes, true, DELTAPROOF_CODE);
}
void __tsan_vptr_update(const void* address, const void*) {
  instrumented(address, sizeof(void*), true, DELTAPROOF_CODE);
}
void __tsan_vptr_read(const void* address) { instrumented(address, sizeof(void*), false, DELTAPROOF_CODE); }

// clang++ 15 and later calls __tsan_mem*; g++ and older clang++ call the C library's functions, which the linker
// turns to __wrap_* in checked libraries (-Wl,--wrap=memcpy and so on).
#define DELTAPROOF_MEMORY(prefix)                                                     \
  void* prefix##memcpy(void* to, const void* from, std::size_t bytes) {               \
    instrumented(from, bytes, false, DELTAPROOF_CODE);                                \
    instrumented(to, bytes, true, DELTAPROOF_CODE);                                   \
    return std::memcpy(to, from, bytes);                                              \
  }                                                                                   \
  void* prefix##memmove(void* to, const void* from, std::size_t bytes) {              \
    instrumented(from, bytes, false, DELTAPROOF_CODE);                                \
    instrumented(to, bytes, true, DELTAPROOF_CODE);                                   \
    return std::memmove(to, from, bytes);                                             \
  }                                                                                   \
  void* prefix##memset(void* to, int value, std::size_t bytes) {                      \
    instrumented(to, bytes, true, DELTAPROOF_CODE);                                   \
    return std::memset(to, value, bytes);                                             \
  }
DELTAPROOF_MEMORY(__tsan_)
DELTAPROOF_MEMORY(__wrap_)

}  // extern "C"

#pragma GCC diagnostic pop
