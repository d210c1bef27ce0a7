#pragma once

#include "kernels/kernel.hpp"

namespace deltaproof {

/// A kernel whose run was recorded in a case file: returns the recorded outputs.
class RecordedKernel : public Kernel {
 public:
  explicit RecordedKernel(const CaseFile& file) : file_(file) {}
  std::string name() const override { return file_.kernel; }
  std::string arithmetic() const override { return file_.problem.options().arithmetic; }
  Outputs run(const Problem&) const override;

 private:
  const CaseFile& file_;
};

}  // namespace deltaproof
