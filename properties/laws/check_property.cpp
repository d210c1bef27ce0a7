#include <new>
#include <utility>

#include "properties/accuracy/refused_score.hpp"
#include "properties/laws/property.hpp"
#include "properties/runs/ended.hpp"
#include "reference/problem/input_error.hpp"

namespace deltaproof {
Verdict check_property(const Property& property, const Trial& trial) {
  Verdict verdict;
  verdict.case_name = trial.problem.name();
  verdict.kernel = trial.kernel.name();
  verdict.arithmetic = trial.kernel.arithmetic();
  verdict.property = property.name;
  verdict.ran = trial.kernel.provenance();
  verdict.status = Status::passed;
  if (std::string why = trial.kernel.refusal(trial.problem); !why.empty()) {
    return ended(std::move(verdict), Status::skipped, std::move(why));
  }
  try {
    if (std::string why = property.why_not(trial); !why.empty()) {
      return ended(std::move(verdict), Status::skipped, std::move(why));
    }
    property.check(trial, verdict);
  } catch (const KernelError& error) {
    if (const std::optional<std::string> score = refused_score(trial.kernel, trial.problem)) {
      return ended(std::move(verdict), Status::skipped, "the kernel is right to refuse the problem: " + *score);
    }
    return ended_by(std::move(verdict), error);
  } catch (const InputError& error) {  // the law makes no problem of this one: it says nothing of it
    return ended(std::move(verdict), Status::skipped, std::string("no problem to compare with: ") + error.what());
  } catch (const std::bad_alloc&) {
    return ended(std::move(verdict), Status::error, "the check ran out of memory");
  } catch (const std::exception& error) {
    return ended(std::move(verdict), Status::error, std::string("the check broke off: ") + error.what());
  }
  if (verdict.status == Status::passed && verdict.compared == 0) {
    return ended(std::move(verdict), Status::uninformative, "there was nothing to compare");
  }
  return verdict;
}

}  // namespace deltaproof
