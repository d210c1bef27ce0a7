#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace deltaproof::checker {

/// A `__shared__` array of a kernel library, as its symbol table says.
struct SharedVariable {
  std::size_t begin;  ///< in the library's TLS block
  std::size_t size;
  std::string name;   ///< "reverse(float const*, float*)::tile"
};

/// Those of the library that holds `code`, by address and without overlap. Empty if the file cannot be read or was
/// stripped: shared memory is then one region.
std::vector<SharedVariable> shared_variables(std::uintptr_t code);

}  // namespace deltaproof::checker
