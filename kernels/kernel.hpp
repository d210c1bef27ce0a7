#pragma once

#include <optional>
#include <string>

#include "reference/arithmetic/declared.hpp"
#include "reference/problem/case_file.hpp"

namespace deltaproof {

/// A kernel under test: something that turns a problem into outputs.
class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual std::string name() const = 0;
  /// Declared arithmetic (`deltaproof list arithmetics`).
  virtual std::string arithmetic() const = 0;
  /// Its order of roundings where that is not the built-in one of `arithmetic()`, whose text it must have.
  virtual std::optional<Declared> declared() const { return std::nullopt; }
  /// Throws std::runtime_error with a reason if it cannot run.
  virtual Outputs run(const Problem& problem) const = 0;
};

}  // namespace deltaproof
