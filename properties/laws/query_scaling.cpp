// Queries read and do not write: times 2^n, o is times 2^n and the state as it was. When that holds in bits, and what
// holds else: scaling.hpp.
#include <fmt/format.h>

#include "properties/laws/scaling.hpp"
#include "properties/laws/table.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial& trial) {
  if (trial.problem.options().rule == Rule::hola) return "what a cache is read with is no linear function of q";
  const L2Norm norm = trial.problem.options().qk_l2norm;
  return norm == L2Norm::q || norm == L2Norm::both ? "the kernel normalises q: its length does not matter" : "";
}

void check(const Trial& trial, Verdict& verdict) {
  const Problem& problem = trial.problem;
  Generator draw(trial.seed, {0x71756572696573});
  const std::optional<int> n = exact_exponent(problem, {"q"}, {}, draw);
  if (!n) return;
  TensorMap inputs = problem.tensors();
  inputs.at("q") = scaled(inputs.at("q"), *n);
  expect_scaled(trial, problem, problem.with_inputs(std::move(inputs)), {.o = *n, .final_state = 0},
                fmt::format("q times 2^{}", *n), verdict);
}

}  // namespace

const Property query_scaling{"query_scaling", "q times 2^n gives o times 2^n and the same final state", &why_not,
                             &check};

}  // namespace deltaproof::laws
