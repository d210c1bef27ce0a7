// A sequence that begins begins from zero, whether the state is handed in or not.
#include "properties/laws/pools.hpp"
#include "properties/laws/promises.hpp"
#include "properties/laws/table.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial& trial) {
  return order_depends_on_initial_state(trial)
             ? "from a state that is handed in the kernel's order of additions is another one"
             : "";
}

// A pool cannot be left out; its sequences have states of their own then, also those that were skipped.
Problem without_states(const Problem& problem) {
  TensorMap inputs = problem.tensors();
  inputs.erase("initial_state");
  return inputs.erase("state_indices") > 0 ? problem.with_unchecked_values(std::move(inputs))
                                           : problem.with_inputs(std::move(inputs));
}

Problem with_zero_states(const Problem& problem) {
  TensorMap inputs = problem.tensors();
  inputs["initial_state"] = filled(states_before(problem), 0);
  return problem.with_inputs(std::move(inputs));
}

void check(const Trial& trial, Verdict& verdict) {
  const Problem none = without_states(trial.problem), zeros = with_zero_states(trial.problem);
  const std::optional<Outputs> got = second_run(trial, zeros, verdict);
  std::optional<Outputs> expected = second_run(trial, none, verdict);
  if (!expected || !got) return;
  // States of a pool lie in the rows that it names.
  Tensor& states = expected->tensors.at("final_state");
  if (trial.problem.find("state_indices") != nullptr) {
    std::vector<std::int64_t> rows(static_cast<std::size_t>(zeros.dims().pool), 0);
    for (const Sequence& s : zeros.sequences()) {
      if (s.state_row >= 0) rows[static_cast<std::size_t>(s.state_row)] = s.index;
    }
    states = taken(states, 0, rows);
  }
  expect_bits(zeros, *expected, *got, "an initial state of zeros gives other bits than none", verdict,
              answered(zeros));
}

}  // namespace

const Property zero_state{"zero_state", "no initial state and an initial state of zeros give the same bits", &why_not,
                          &check};

}  // namespace deltaproof::laws
