#include "properties/runs/check_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "kernels/stepwise.hpp"
#include "properties/accuracy/outputs_hash.hpp"
#include "properties/runs/ended.hpp"

namespace deltaproof {
namespace {

// A run that is over, for checks that take a kernel.
class FinishedRun : public Kernel {
 public:
  FinishedRun(const Kernel& kernel, const Outputs& outputs) : kernel_(kernel), outputs_(outputs) {}
  std::string name() const override { return kernel_.name(); }
  std::string arithmetic() const override { return kernel_.arithmetic(); }
  std::optional<Declared> declared() const override { return kernel_.declared(); }
  Outputs run(const Problem&) const override { return outputs_; }

 private:
  const Kernel& kernel_;
  const Outputs& outputs_;
};

Verdict blank(const Problem& problem, const Kernel& kernel, const char* property) {
  Verdict verdict;
  verdict.case_name = problem.name();
  verdict.kernel = kernel.name();
  verdict.arithmetic = kernel.arithmetic();
  verdict.property = property;
  verdict.ran = kernel.provenance();
  return verdict;
}

constexpr std::byte poison{0xff};

// The first row that no sequence has and that is not as it was: a pool is updated in place, other rows are others'.
std::optional<std::int64_t> changed_pool_row(const Problem& problem, const Outputs& outputs) {
  if (problem.find("state_indices") == nullptr) return std::nullopt;
  const Tensor& before = *problem.find("initial_state");
  const Tensor& after = outputs.tensors.at("final_state");
  const auto rows = static_cast<std::size_t>(problem.dims().pool);
  const std::size_t bytes = before.bytes.size() / rows;
  std::vector<bool> used(rows);
  for (const Sequence& sequence : problem.sequences()) {
    if (sequence.state_row >= 0) used[static_cast<std::size_t>(sequence.state_row)] = true;
  }
  for (std::size_t row = 0; row < rows; ++row) {
    const auto at = row * bytes;
    if (!used[row] && std::memcmp(before.bytes.data() + at, after.bytes.data() + at, bytes) != 0) {
      return static_cast<std::int64_t>(row);
    }
  }
  return std::nullopt;
}

// The first sequence that state_indices skips and whose rows of o are not as the kernel found them: poisoned.
std::optional<std::int64_t> written_skipped_rows(const Problem& problem, const Outputs& outputs) {
  const Tensor& o = outputs.tensors.at("o");
  const Dimensions& d = problem.dims();
  const auto row = static_cast<std::size_t>(d.HV * d.V) * dtype_size(o.dtype);
  for (const Sequence& sequence : problem.sequences()) {
    if (sequence.state_row >= 0) continue;
    const std::byte* first = o.bytes.data() + static_cast<std::size_t>(sequence.batch * d.T + sequence.begin) * row;
    const std::byte* end = first + static_cast<std::size_t>(sequence.length) * row;
    if (!std::all_of(first, end, [](std::byte x) { return x == poison; })) return sequence.index;
  }
  return std::nullopt;
}

// `work` fills the verdict; what it throws becomes one. An output that is no input to go on with is among it.
template <class Work>
Verdict guarded(Verdict verdict, Work work) {
  try {
    return work(verdict);
  } catch (const KernelError& error) {
    return ended(std::move(verdict), Status::error, error.what());
  } catch (const std::bad_alloc&) {
    return ended(std::move(verdict), Status::error, "the check ran out of memory");
  } catch (const std::exception& error) {
    return ended(std::move(verdict), Status::error, std::string("the check broke off: ") + error.what());
  }
}

Verdict accuracy(const Problem& problem, const Kernel& kernel, const RunChecks& checks, Outputs& outputs) {
  const bool poisons = kernel.poisons_outputs();
  return guarded(blank(problem, kernel, "accuracy"), [&](Verdict verdict) {
    SteppedRun run = run_stepwise(kernel, problem);
    outputs = std::move(run.outputs);
    Provenance ran = std::move(verdict.ran);
    verdict = check_accuracy(problem, FinishedRun(kernel, outputs), checks.accuracy);
    verdict.ran = std::move(ran);
    if (verdict.status == Status::failed) return verdict;
    if (const std::optional<std::int64_t> row = changed_pool_row(problem, outputs)) {
      return ended(std::move(verdict), Status::failed,
                   fmt::format("row {} of the pool of states, which no sequence has, was changed", *row));
    }
    if (const std::optional<std::int64_t> sequence = written_skipped_rows(problem, outputs); poisons && sequence) {
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
