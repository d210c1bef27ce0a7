#pragma once

#include <optional>
#include <string>
#include <utility>

#include "properties/diagnose/shrink/failure.hpp"
#include "properties/runs/check_run.hpp"

namespace deltaproof {

/// A case and what is wrong with it.
struct JudgedCase {
  RunCase run;
  Verdict verdict;
  Failure failure;
};

/// What decides whether a smaller case still fails.
class CaseJudge {
 public:
  virtual ~CaseJudge() = default;
  /// The case judged in full, whatever the verdict.
  virtual JudgedCase judge(RunCase run) const = 0;
  /// The same if it fails in the way `failure`; cheaper. Nothing if it does not, or if the kernel does not compute it.
  virtual std::optional<JudgedCase> judge_like(const Failure& failure, RunCase run) const = 0;
  /// Problems may change, for the kernel computes them anew.
  virtual bool runs() const = 0;
};

/// Runs a kernel and judges it as check_run does: the first property with a failure. Outputs of the case are replaced by
/// the kernel's, with states had from a run chunk by chunk. The kernel must outlive it.
class KernelJudge : public CaseJudge {
 public:
  KernelJudge(const Kernel& kernel, RunChecks checks) : kernel_(kernel), checks_(std::move(checks)) {}
  JudgedCase judge(RunCase run) const override;
  std::optional<JudgedCase> judge_like(const Failure& failure, RunCase run) const override;
  bool runs() const override { return true; }

 private:
  const Kernel& kernel_;
  RunChecks checks_;
};

/// Judges outputs as they are recorded.
class RecordedJudge : public CaseJudge {
 public:
  /// `declared`: the order of roundings, if not the built-in one of the case's arithmetic.
  RecordedJudge(std::string kernel, std::optional<Declared> declared, AccuracyOptions options)
      : kernel_(std::move(kernel)), declared_(std::move(declared)), options_(std::move(options)) {}
  JudgedCase judge(RunCase run) const override;
  std::optional<JudgedCase> judge_like(const Failure& failure, RunCase run) const override;
  bool runs() const override { return false; }

 private:
  std::string kernel_;
  std::optional<Declared> declared_;
  AccuracyOptions options_;
};

}  // namespace deltaproof
