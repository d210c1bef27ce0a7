#include "properties/diagnose/hunt/evaluation.hpp"

#include <exception>
#include <optional>
#include <utility>

#include "kernels/wrapped_kernel.hpp"
#include "properties/runs/check_run.hpp"
#include "reference/problem/input_error.hpp"

namespace deltaproof {
namespace {

// Keeps the outputs of the first run, which is that of the whole problem.
class KeepingKernel : public WrappedKernel {
 public:
  using WrappedKernel::WrappedKernel;
  Outputs run(const Problem& problem) const override {
    Outputs outputs = inner().run(problem);
    if (!first_) first_ = outputs;
    return outputs;
  }
  const std::optional<Outputs>& first() const { return first_; }

 private:
  mutable std::optional<Outputs> first_;  // of one thread
};

Evaluation ended(Status status, std::string reason) {
  Evaluation evaluation;
  evaluation.status = status;
  evaluation.reason = std::move(reason);
  return evaluation;
}

}  // namespace

Evaluation evaluate(const Candidate& candidate, const Kernel& kernel) try {
  const Problem problem = problem_of(candidate);
  KeepingKernel keeping(kernel);
  RunChecks checks;
  checks.accuracy.name_fits = false;
  checks.accuracy.threads = 1;
  const Verdict verdict = check_run(problem, keeping, checks).front();
  Evaluation evaluation = ended(verdict.status, verdict.reason);
  if (const auto& outputs = keeping.first()) evaluation.values = values_of(problem, *outputs, verdict);
  return evaluation;
} catch (const InputError& error) {
  return ended(Status::skipped, error.what());
} catch (const std::exception& error) {  // one run must not end the search
  return ended(Status::error, std::string("the check broke off: ") + error.what());
}

}  // namespace deltaproof
