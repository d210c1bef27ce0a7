// Where an element of a state lies in memory does not change it.
#include "properties/laws/second_run.hpp"
#include "properties/laws/table.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial&) { return {}; }

Problem in_other_layout(const Problem& problem) {
  Options options = problem.options();
  options.state_layout = options.state_layout == StateLayout::vk ? StateLayout::kv : StateLayout::vk;
  TensorMap inputs = problem.tensors();
  if (const auto states = inputs.find("initial_state"); states != inputs.end()) {
    states->second = transposed(states->second);
  }
  return problem.with_options(std::move(options), std::move(inputs));
}

void check(const Trial& trial, Verdict& verdict) {
  const Problem second = in_other_layout(trial.problem);
  Outputs expected = trial.kernel.run(trial.problem);
  const std::optional<Outputs> got = second_run(trial, second, verdict);
  if (!got) return;
  for (const char* name : {"final_state", "chunk_states"}) {
    if (const auto states = expected.tensors.find(name); states != expected.tensors.end()) {
      states->second = transposed(states->second);
    }
  }
  expect_bits(second, expected, *got, "with states in the other layout there are other bits", verdict,
              answered(second));
}

}  // namespace

const Property layouts{"layouts", "states as [K, V] and as [V, K] give the same bits", &why_not, &check};

}  // namespace deltaproof::laws
