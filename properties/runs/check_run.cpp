#include "properties/runs/check_run.hpp"

#include <fmt/format.h>

#include <new>
#include <utility>

#include "properties/accuracy/outputs_hash.hpp"
#include "properties/accuracy/refused_score.hpp"
#include "properties/laws/untouched.hpp"
#include "properties/runs/ended.hpp"
#include "properties/runs/finished_run.hpp"
#include "properties/runs/run_with_states.hpp"

namespace deltaproof {
namespace {

Verdict blank(const Problem& problem, const Kernel& kernel, const char* property) {
  Verdict verdict;
  verdict.case_name = problem.name();
  verdict.kernel = kernel.name();
  verdict.arithmetic = kernel.arithmetic();
  verdict.property = property;
  verdict.ran = kernel.provenance();
  return verdict;
}

// `work` fills the verdict; what it throws becomes one. An output that is no input to go on with is among it.
template <class Work>
Verdict guarded(Verdict verdict, Work work) {
  try {
    return work(verdict);
  } catch (const KernelError& error) {
    return ended_by(std::move(verdict), error);
  } catch (const std::bad_alloc&) {
    return ended(std::move(verdict), Status::error, "the check ran out of memory");
  } catch (const std::exception& error) {
    return ended(std::move(verdict), Status::error, std::string("the check broke off: ") + error.what());
  }
}

Verdict accuracy(const Problem& problem, const Kernel& kernel, const RunChecks& checks, Outputs& outputs) {
  const bool poisons = kernel.poisons_outputs();
  return guarded(blank(problem, kernel, "accuracy"), [&](Verdict verdict) {
    SteppedRun run;
    try {
      run = run_with_states(problem, kernel);
    } catch (const KernelError&) {
      const std::optional<std::string> score = refused_score(kernel, problem);
      if (!score) throw;
      return ended(std::move(verdict), Status::uninformative, "the kernel is right to refuse the problem: " + *score);
    }
    outputs = std::move(run.outputs);
    Provenance ran = std::move(verdict.ran);
    verdict = check_accuracy(problem, FinishedRun(kernel, outputs), checks.accuracy);
    verdict.ran = std::move(ran);
    if (verdict.status == Status::failed) return verdict;
    if (const std::optional<std::int64_t> row = laws::changed_pool_row(problem, outputs)) {
      return ended(std::move(verdict), Status::failed,
                   fmt::format("row {} of the pool of states, which no sequence has, was changed", *row));
    }
    const std::optional<std::int64_t> sequence = laws::written_skipped_rows(problem, outputs);
    if (poisons && sequence) {
      return ended(std::move(verdict), Status::failed,
                   fmt::format("rows of o of sequence {}, which state_indices skips, were written", *sequence));
    }
    const BitDifference& difference = run.difference;
    if (difference.unequal == 0) return verdict;
    verdict.has_first_bad = true;
    verdict.first_bad = difference.first;
    return ended(std::move(verdict), Status::failed,
                 fmt::format("run chunk by chunk with the state handed on it gives other bits than in one run: "
                             "{} of {} values differ, the first at {}",
                             difference.unequal, difference.compared, to_string(difference.first)));
  });
}

// Adds what one rerun gave to a verdict on bits.
void add(const Problem& problem, const Outputs& outputs, const Rerun& rerun, Verdict& verdict) {
  const BitDifference difference = compare_bits(problem, outputs, rerun.kernel->run(problem));
  verdict.compared += difference.compared;
  verdict.violations += difference.unequal;
  if (difference.unequal == 0 || verdict.has_first_bad) return;
  verdict.has_first_bad = true;
  verdict.first_bad = difference.first;
  verdict.reason = fmt::format("under {} {} of {} values have other bits, the first at {}", rerun.what,
                               difference.unequal, difference.compared, to_string(difference.first));
}

Verdict same_bits(const Problem& problem, const Kernel& kernel, const Outputs& outputs, const char* property,
                  const std::vector<Rerun>& reruns) {
  return guarded(blank(problem, kernel, property), [&](Verdict verdict) {
    verdict.bound = "bits";
    verdict.outputs_hash = outputs_hash(outputs);
    for (const Rerun& rerun : reruns) add(problem, outputs, rerun, verdict);
    verdict.status = verdict.violations == 0 ? Status::passed : Status::failed;
    if (verdict.compared == 0)
      return ended(std::move(verdict), Status::uninformative, "there was nothing to compare");
    std::string names;
    for (const Rerun& rerun : reruns) names += (names.empty() ? "" : ", ") + rerun.what;
    verdict.notes.push_back(
        fmt::format("{} of {} values differ from {}", verdict.violations, verdict.compared, names));
    return verdict;
  });
}

}  // namespace

std::vector<Verdict> check_run(const Problem& problem, const Kernel& kernel, const RunChecks& checks) {
  if (std::string why = kernel.refusal(problem); !why.empty()) {
    return {ended(blank(problem, kernel, "accuracy"), Status::skipped, std::move(why))};
  }
  std::vector<Verdict> verdicts;
  Outputs outputs;
  verdicts.push_back(accuracy(problem, kernel, checks, outputs));
  if (outputs.tensors.empty()) return verdicts;
  if (!checks.schedules.empty()) {
    verdicts.push_back(same_bits(problem, kernel, outputs, "schedules", checks.schedules));
  }
  if (checks.checked) {
    verdicts.push_back(
        same_bits(problem, *checks.checked, outputs, "checked", {{"the plain build", checks.checked}}));
  }
  if (checks.against) verdicts.push_back(same_bits(problem, kernel, outputs, "against_host", {*checks.against}));
  return verdicts;
}

}  // namespace deltaproof
