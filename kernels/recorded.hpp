#pragma once

#include <utility>

#include "kernels/kernel.hpp"

namespace deltaproof {

/// A kernel whose run was recorded in a case file: returns the recorded outputs.
class RecordedKernel : public Kernel {
 public:
  /// `declared`: its order of roundings, if not the built-in one of the case's arithmetic.
  explicit RecordedKernel(const CaseFile& file, std::optional<Declared> declared = std::nullopt)
      : file_(file), declared_(std::move(declared)) {}
  std::string name() const override { return file_.kernel; }
  std::string arithmetic() const override { return file_.problem.options().arithmetic; }
  std::optional<Declared> declared() const override { return declared_; }
  Outputs run(const Problem&) const override;

 private:
  const CaseFile& file_;
  std::optional<Declared> declared_;
};

}  // namespace deltaproof
