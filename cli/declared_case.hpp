#pragma once

#include <optional>
#include <string>

#include "reference/arithmetic/declared.hpp"
#include "reference/problem/case_file.hpp"

namespace deltaproof::cli {

/// A case, and the order of roundings that the command line declares for it, if it names a file.
struct DeclaredCase {
  CaseFile file;
  std::optional<Declared> declared;
};

/// Reads a case; `arithmetic`, a name or a JSON file, takes the place of what it declares. Throws InputError.
DeclaredCase read_declared_case(const std::string& path, const std::optional<std::string>& arithmetic);

}  // namespace deltaproof::cli
