// Other problems run in between: what a kernel keeps between calls, or finds in memory that it did not clear, shows.
#include "properties/laws/other_values.hpp"
#include "properties/laws/second_run.hpp"
#include "properties/laws/table.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial&) { return {}; }

Problem with_all_other_values(const Problem& problem) {
  TensorMap inputs = with_other_values(problem, [](const Sequence&, std::int64_t) { return true; });
  if (const auto states = inputs.find("initial_state"); states != inputs.end()) {
    states->second = negated(states->second);
  }
  return problem.with_inputs(std::move(inputs));
}

void check(const Trial& trial, Verdict& verdict) {
  const Outputs first = trial.kernel.run(trial.problem);
  if (!second_run(trial, with_all_other_values(trial.problem), verdict)) return;
  expect_bits(trial.problem, first, trial.kernel.run(trial.problem),
              "the kernel remembers a call: after one with other values the first problem gives other bits", verdict);
}

}  // namespace

const Property second_call{"second_call", "a problem gives the same bits after another one has run in between",
                           &why_not, &check};

}  // namespace deltaproof::laws
