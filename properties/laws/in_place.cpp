// States that are updated in a pool, and states that are read from one tensor and written to another.
#include "properties/laws/parts.hpp"
#include "properties/laws/pools.hpp"
#include "properties/laws/promises.hpp"
#include "properties/laws/table.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial& trial) {
  if (trial.problem.find("initial_state") == nullptr && order_depends_on_initial_state(trial)) {
    return "from a state that is handed in the kernel's order of additions is another one";
  }
  return {};
}

// A sequence that was skipped is now computed, from any state: it is not looked at, and may hold anything.
Problem apart(const Problem& problem, const Indices& rows) {
  TensorMap inputs = problem.tensors();
  inputs.erase("state_indices");
  Tensor& states = inputs.at("initial_state");
  states = taken(states, 0, rows);
  return problem.with_unchecked_values(std::move(inputs));
}

void check(const Trial& trial, Verdict& verdict) {
  const Problem& problem = trial.problem;
  const bool pool = problem.find("state_indices") != nullptr;
  Indices rows;
  for (const Sequence& s : problem.sequences()) rows.push_back(s.state_row < 0 ? 0 : s.state_row);
  const Problem second = pool ? apart(problem, rows) : problem.with_inputs(in_a_pool(problem));
  Outputs expected = trial.kernel.run(problem);
  const std::optional<Outputs> got = second_run(trial, second, verdict);
  if (!got) return;
  Tensor& states = expected.tensors.at("final_state");
  if (pool) states = taken(states, 0, rows);
  const auto computed = [&problem](const Location& where) {
    return problem.sequences()[static_cast<std::size_t>(where.sequence)].state_row >= 0;
  };
  expect_bits(second, expected, *got, "states in a pool and states of their own give other bits", verdict,
              answered(second, computed));
}

}  // namespace

const Property in_place{
    "in_place", "states updated in place in a pool are those of separate initial and final states", &why_not, &check};

}  // namespace deltaproof::laws
