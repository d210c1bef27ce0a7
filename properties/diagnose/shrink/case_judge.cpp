#include "properties/diagnose/shrink/case_judge.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "kernels/given_outputs.hpp"
#include "kernels/stepwise.hpp"
#include "kernels/wrapped_kernel.hpp"
#include "properties/diagnose/shrink/fingerprint.hpp"
#include "properties/runs/finished_run.hpp"

namespace deltaproof {
namespace {

GivenOutputs given(const RunCase& run, const std::string& kernel, const std::optional<Declared>& declared) {
  return {run.problem.options().arithmetic, run.outputs, declared, kernel};
}

// Runs each problem once, so that outputs that were judged can be had afterwards.
class OnceKernel : public WrappedKernel {
 public:
  using WrappedKernel::WrappedKernel;
  Outputs run(const Problem& problem) const override {
    const std::uint64_t key = fingerprint(problem);
    if (const auto known = runs_.find(key); known != runs_.end()) return known->second;
    return runs_[key] = inner().run(problem);
  }

 private:
  mutable std::map<std::uint64_t, Outputs> runs_;
};

// What says that a value is out of bound needs no order of roundings.
AccuracyOptions quicker(AccuracyOptions options, Status status) {
  options.conformity = options.conformity && status != Status::failed;
  options.name_fits = false;
  options.progress = {};
  return options;
}

bool is_one_unit(const Problem& problem) {
  return std::all_of(problem.sequences().begin(), problem.sequences().end(), [&](const Sequence& sequence) {
    return sequence.length <= problem.options().states_every;
  });
}

bool has_stage(const Failure& failure) { return failure.property == "accuracy" && failure.status != Status::error; }

FailureStage stage_of(const Problem& problem, const Kernel& kernel, AccuracyOptions options) {
  options.conformity = options.name_fits = false;
  options.progress = {};
  return failure_stage(measure(problem, kernel, options));
}

// Only the checks that one property needs.
RunChecks checks_for(const Failure& failure, const RunChecks& all) {
  RunChecks needed;
  needed.accuracy = quicker(all.accuracy, failure.status);
  if (failure.property == "schedules") needed.schedules = all.schedules;
  if (failure.property == "checked") needed.checked = all.checked;
  if (failure.property == "against_host") needed.against = all.against;
  return needed;
}

// As check_run has them.
Outputs outputs_of(const Kernel& kernel, const Problem& problem) try {
  return problem.options().rule == Rule::hola ? kernel.run(problem) : run_stepwise(kernel, problem).outputs;
} catch (const std::exception&) {
  return {};
}

JudgedCase judged(RunCase run, const OnceKernel& kernel, Verdict verdict, const AccuracyOptions& options) {
  run.outputs = outputs_of(kernel, run.problem);
  JudgedCase result{std::move(run), std::move(verdict), {}};
  result.failure = failure_of(result.verdict);
  if (has_stage(result.failure) && is_failure(result.verdict.status)) {
    result.failure.stage = stage_of(result.run.problem, FinishedRun(kernel, result.run.outputs), options);
  }
  return result;
}

}  // namespace

// Bounds first: the declared order of roundings takes as long again, and the other properties take several runs.
JudgedCase KernelJudge::judge(RunCase run) const {
  const OnceKernel kernel(kernel_);
  RunChecks bounds;
  bounds.accuracy = quicker(checks_.accuracy, Status::failed);
  Verdict verdict = check_run(run.problem, kernel, bounds).front();
  if (verdict.status == Status::skipped) return {std::move(run), std::move(verdict), {}};
  if (verdict.status != Status::failed && verdict.status != Status::error) {
    std::vector<Verdict> all = check_run(run.problem, kernel, checks_);
    const auto bad = std::find_if(all.begin(), all.end(), [](const Verdict& v) { return is_failure(v.status); });
    verdict = std::move(bad == all.end() ? all.front() : *bad);
  }
  return judged(std::move(run), kernel, std::move(verdict), checks_.accuracy);
}

std::optional<JudgedCase> KernelJudge::judge_like(const Failure& failure, RunCase run) const {
  const OnceKernel kernel(kernel_);
  const bool one_unit = is_one_unit(run.problem);
  if (!kernel.refusal(run.problem).empty()) return std::nullopt;
  std::vector<Verdict> all = check_run(run.problem, kernel, checks_for(failure, checks_));
  const auto bad = std::find_if(all.begin(), all.end(), [](const Verdict& v) { return is_failure(v.status); });
  if (bad == all.end() || !alike(failure_of(*bad), failure, one_unit)) return std::nullopt;
  JudgedCase result = judged(std::move(run), kernel, std::move(*bad), checks_.accuracy);
  if (result.failure.stage != failure.stage) return std::nullopt;
  return result;
}

JudgedCase RecordedJudge::judge(RunCase run) const {
  JudgedCase result{std::move(run), {}, {}};
  const GivenOutputs kernel = given(result.run, kernel_, declared_);
  Measured measured = measure(result.run.problem, kernel, quicker(options_, Status::failed));
  const FailureStage stage = failure_stage(measured);
  result.verdict = std::move(measured.verdict);
  if (result.verdict.status != Status::failed) {
    result.verdict = check_accuracy(result.run.problem, kernel, options_);
  }
  result.failure = failure_of(result.verdict);
  if (is_failure(result.verdict.status)) result.failure.stage = stage;
  return result;
}

// What cannot be judged at all is no failure of the same kind.
std::optional<JudgedCase> RecordedJudge::judge_like(const Failure& failure, RunCase run) const try {
  if (run.outputs.tensors.empty()) return std::nullopt;
  const bool one_unit = is_one_unit(run.problem);
  JudgedCase result{std::move(run), {}, {}};
  const GivenOutputs kernel = given(result.run, kernel_, declared_);
  result.verdict = check_accuracy(result.run.problem, kernel, quicker(options_, failure.status));
  result.failure = failure_of(result.verdict);
  if (!alike(result.failure, failure, one_unit)) return std::nullopt;
  result.failure.stage = stage_of(result.run.problem, kernel, options_);
  if (result.failure.stage != failure.stage) return std::nullopt;
  return result;
} catch (const std::exception&) {
  return std::nullopt;
}

}  // namespace deltaproof
