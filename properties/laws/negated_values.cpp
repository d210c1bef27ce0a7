// Rounding to nearest and truncation know no sign: with v and the initial state negated so is every intermediate
// value of the recurrence, which is linear in them. No condition: a sign costs no bit. (Signs of zeros are free: +0 +
// -0 is +0.)
#include "properties/laws/other_values.hpp"
#include "properties/laws/second_run.hpp"
#include "properties/laws/table.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial&) { return {}; }

void check(const Trial& trial, Verdict& verdict) {
  TensorMap inputs = trial.problem.tensors();
  inputs.at("v") = negated(inputs.at("v"));
  if (const auto states = inputs.find("initial_state"); states != inputs.end()) {
    states->second = negated(states->second);
  }
  const Problem second = trial.problem.with_inputs(std::move(inputs));
  Outputs expected = trial.kernel.run(trial.problem);
  const std::optional<Outputs> got = second_run(trial, second, verdict);
  if (!got) return;
  for (auto& [name, tensor] : expected.tensors) {
    if (name != "scores" && name != "selected") tensor = negated(tensor);  // of sizes
  }
  expect_bits(second, without_signs_of_zero(expected), without_signs_of_zero(*got),
              "v and the initial state negated do not negate o and the final state", verdict, answered(second));
}

}  // namespace

const Property negated_values{"negated_values", "v and the initial state negated negate o and the final state",
                              &why_not, &check};

}  // namespace deltaproof::laws
