// From nothing comes nothing: v = 0 and a zero state give zeros, of either sign. Not asked where the run of the
// problem itself overflows: 0 times an infinite coefficient is NaN.
#include "properties/laws/second_run.hpp"
#include "properties/laws/table.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial&) { return {}; }

Problem with_nothing_to_write(const Problem& problem) {
  TensorMap inputs = problem.tensors();
  inputs.at("v") = filled(inputs.at("v"), 0);
  if (const auto states = inputs.find("initial_state"); states != inputs.end()) {
    states->second = filled(states->second, 0);
  }
  return problem.with_inputs(std::move(inputs));
}

void check(const Trial& trial, Verdict& verdict) {
  const About about = answered(trial.problem);
  Outputs zeros = trial.kernel.run(trial.problem);
  if (overflowed(trial.problem, zeros, about, verdict)) return;
  const Problem second = with_nothing_to_write(trial.problem);
  const std::optional<Outputs> got = second_run(trial, second, verdict);
  if (!got) return;
  for (const char* name : {"scores", "selected"}) zeros.tensors.erase(name);  // of a cache that then holds zeros
  for (auto& [name, tensor] : zeros.tensors) tensor = filled(tensor, 0);
  expect_bits(second, zeros, without_signs_of_zero(*got), "v = 0 and a zero state do not give zeros", verdict,
              answered(second));
}

}  // namespace

const Property zero_value{"zero_value", "v = 0 and a zero state give zeros", &why_not, &check};

}  // namespace deltaproof::laws
