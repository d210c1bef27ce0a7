// With b = 0 nothing is written: d = 0 e, whatever v is. Signs of zeros are free, and so is what becomes of a state
// that overflows.
#include <string>

#include "properties/laws/other_values.hpp"
#include "properties/laws/second_run.hpp"
#include "properties/laws/table.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof::laws {
namespace {

std::string write_of(const Problem& problem) {
  for (const char* name : {"beta", "eta"}) {
    if (problem.find(name) != nullptr) return name;
  }
  return {};
}

std::string why_not(const Trial& trial) {
  return write_of(trial.problem).empty() ? "the rule has no write coefficient among its inputs" : "";
}

void check(const Trial& trial, Verdict& verdict) {
  const std::string write = write_of(trial.problem);
  TensorMap inputs = trial.problem.tensors();
  inputs.at(write) = filled(inputs.at(write), 0);
  const Problem first = trial.problem.with_inputs(inputs);
  inputs.at("v") = other_v(inputs.at("v"));
  const Problem second = trial.problem.with_inputs(std::move(inputs));
  const std::optional<Outputs> expected = second_run(trial, first, verdict);
  if (!expected) return;
  const std::optional<Outputs> got = second_run(trial, second, verdict);
  if (!got) return;
  const About about = answered(first, [&](const Location& where) {
    return first.options().rule != Rule::hola || where.tensor == "final_state";  // a cache is read with v itself
  });
  if (overflowed(first, *expected, about, verdict) || overflowed(second, *got, about, verdict)) return;
  expect_bits(first, without_signs_of_zero(*expected), without_signs_of_zero(*got),
              "with write coefficients of 0 other values of v change a value", verdict, about);
}

}  // namespace

const Property zero_beta{"zero_beta", "where the write coefficient is 0 the values do not matter", &why_not, &check};

}  // namespace deltaproof::laws
