#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace deltaproof {

struct SourcePlace {
  std::string file;  ///< relative to the source tree if it lies there; without debug information "library+0x1f40"
  int line = 0;      ///< 0: unknown
};

/// Source line of the instruction at `code`, by the program addr2line (a process is started: for reports only).
/// Where code was inlined from the executor's headers, the line that used it. Without the program or without
/// debug information, the library and the offset in it.
SourcePlace symbolise(std::uintptr_t code);

/// `file` without the folder of the source tree that this program was built from. The result points into `file`.
const char* without_source_prefix(const char* file);

/// "file:line", or what is known.
std::string to_string(const SourcePlace& place);

}  // namespace deltaproof
