#include "properties/diagnose/hunt/evaluation.hpp"

#include <exception>
#include <optional>
#include <utility>

#include "properties/runs/check_run.hpp"
#include "reference/problem/input_error.hpp"

namespace deltaproof {
namespace {

// Keeps the outputs of the first run, which is that of the whole problem.
class KeepingKernel : public Kernel {
 public:
  explicit KeepingKernel(const Kernel& kernel) : kernel_(kernel) {}
  std::string name() const override { return kernel_.name(); }
  std::string arithmetic() const override { return kernel_.arithmetic(); }
  std::optional<Declared> declared() const override { return kernel_.declared(); }
  std::string refusal(const Problem& problem) const override { return kernel_.refusal(problem); }
  bool poisons_outputs() const override { return kernel_.poisons_outputs(); }
  Outputs run(const Problem& problem) const override {
    Outputs outputs = kernel_.run(problem);
    if (!first_) first_ = outputs;
    return outputs;
  }
  const std::optional<Outputs>& first() const { return first_; }

 private:
  const Kernel& kernel_;
  mutable std::optional<Outputs> first_;  // of one thread
};

Evaluation ended(Status status, std::string reason) {
  Evaluation evaluation;
  evaluation.status = status;
  evaluation.reason = std::move(reason);
  return evaluation;
}

}  // namespace

bool Evaluation::is_finding() const {
  switch (status) {
    case Status::failed:
    case Status::nonconforming:
    case Status::suspect:
    case Status::error: return true;
    default: return false;
  }
}

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
