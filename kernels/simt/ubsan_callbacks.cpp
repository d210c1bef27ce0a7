/// Handlers of `-fsanitize=bounds` in place of the compiler's runtime: an index beyond an array of known length,
/// which no check of addresses sees where the next array follows. The layout of the data is that of g++ and
/// clang++ (compiler-rt, ubsan_handlers.h). Under the sanitizers themselves their runtime has the symbols.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "kernels/simt/address_sanitizer.hpp"
#include "kernels/simt/checker_block.hpp"
#include "kernels/simt/symbolise.hpp"

#ifndef DELTAPROOF_ASAN

namespace {

struct SourceLocation {
  const char* file;
  std::uint32_t line;
  std::uint32_t column;
};

struct TypeDescriptor {
  std::uint16_t kind;  ///< 0: integer
  std::uint16_t info;  ///< bit 0: signed; the rest: log2 of its bits
  char name[1];
};

struct OutOfBounds {
  SourceLocation place;
  const TypeDescriptor* array;
  const TypeDescriptor* index;
};

/// Integers up to 64 bits come by value, in a register of which only their own bits count.
std::int64_t index_value(const TypeDescriptor& type, std::uintptr_t bits) {
  const unsigned width = 1u << (type.info >> 1);
  if (width >= 64) return static_cast<std::int64_t>(bits);
  const unsigned unused = 64 - width;
  const std::uint64_t top = std::uint64_t{bits} << unused;
  const bool is_signed = (type.info & 1) != 0;
  return is_signed ? static_cast<std::int64_t>(top) >> unused : static_cast<std::int64_t>(top >> unused);
}

[[noreturn]] void out_of_bounds(const OutOfBounds& data, std::uintptr_t bits) {
  const std::int64_t index = index_value(*data.index, bits);
  const char* const file = deltaproof::without_source_prefix(data.place.file);
  const auto line = static_cast<int>(data.place.line);
  if (deltaproof::checker::running_checker != nullptr) {
    deltaproof::checker::running_checker->index_out_of_bounds(file, line, index, data.array->name);
  }
  std::fprintf(stderr, "%s:%d: index %lld out of bounds of an array of type %s\n", file, line,
               static_cast<long long>(index), data.array->name);
  std::abort();
}

}  // namespace

extern "C" {

void __ubsan_handle_out_of_bounds(const OutOfBounds* data, std::uintptr_t index) { out_of_bounds(*data, index); }
void __ubsan_handle_out_of_bounds_abort(const OutOfBounds* data, std::uintptr_t index) {
  out_of_bounds(*data, index);
}

}  // extern "C"

#endif
