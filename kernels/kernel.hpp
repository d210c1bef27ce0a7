#pragma once

#include <optional>
#include <stdexcept>
#include <string>

#include "reference/arithmetic/declared.hpp"
#include "reference/problem/case_file.hpp"
#include "reference/verdict.hpp"

namespace deltaproof {

/// A kernel that could not be run to its end: a fault in it, or a call of its device that failed.
class KernelError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// There is no such device on this machine: nothing was run.
class NoDevice : public KernelError {
 public:
  using KernelError::KernelError;
};

/// A kernel under test: something that turns a problem into outputs.
class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual std::string name() const = 0;
  /// Declared arithmetic (`deltaproof list arithmetics`).
  virtual std::string arithmetic() const = 0;
  /// Its order of roundings where that is not the built-in one of `arithmetic()`, whose text it must have.
  virtual std::optional<Declared> declared() const { return std::nullopt; }
  /// Why it does not compute this problem, as "chunk: K = 12 is no multiple of 8"; empty if it does.
  virtual std::string refusal(const Problem&) const { return {}; }
  /// Sources, compiler, device: what a verdict records of the run. Empty where nothing is known.
  virtual Provenance provenance() const { return {}; }
  /// Outputs are poisoned (every byte 0xFF) before a run, so that what it did not write can be told.
  virtual bool poisons_outputs() const { return false; }
  /// Throws KernelError if the run ended in a fault, std::runtime_error if the kernel refuses the problem.
  virtual Outputs run(const Problem& problem) const = 0;
};

}  // namespace deltaproof
