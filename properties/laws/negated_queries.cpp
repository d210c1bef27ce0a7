// Queries read and do not write: negated they negate o, to the bit, and leave the state as it is.
#include "properties/laws/other_values.hpp"
#include "properties/laws/second_run.hpp"
#include "properties/laws/table.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial& trial) {
  return trial.problem.options().rule == Rule::hola ? "what a cache is read with is no linear function of q" : "";
}

void check(const Trial& trial, Verdict& verdict) {
  TensorMap inputs = trial.problem.tensors();
  inputs.at("q") = negated(inputs.at("q"));
  const Problem second = trial.problem.with_inputs(std::move(inputs));
  Outputs expected = trial.kernel.run(trial.problem);
  const std::optional<Outputs> got = second_run(trial, second, verdict);
  if (!got) return;
  expected.tensors["o"] = negated(expected.tensors.at("o"));
  expect_bits(second, without_signs_of_zero(expected), without_signs_of_zero(*got),
              "q negated does not negate o alone", verdict, answered(second));
}

}  // namespace

const Property negated_queries{"negated_queries", "q negated negates o and leaves the final state", &why_not, &check};

}  // namespace deltaproof::laws
