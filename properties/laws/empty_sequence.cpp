// A sequence without tokens is legal: it takes nothing from its neighbours and leaves its state alone.
#include <fmt/format.h>

#include "properties/laws/draws.hpp"
#include "properties/laws/second_run.hpp"
#include "properties/laws/table.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial&) { return {}; }

Tensor inserted(const Tensor& tensor, std::int64_t at, const Tensor& row) {
  const Tensor before = taken(tensor, 0, range(0, at));
  return joined(joined(before, row, 0), taken(tensor, 0, range(at, tensor.shape[0] - at)), 0);
}

Tensor row_of_zeros(const Tensor& states) { return filled(taken(states, 0, {0}), 0); }

// The inputs with an empty sequence at place n, whose state is `row`.
TensorMap with_empty(const Problem& problem, std::int64_t n, const Tensor& row) {
  TensorMap inputs = packed(problem);
  Tensor& ends = inputs.at("cu_seqlens");
  ends = inserted(ends, n, taken(ends, 0, {n}));
  if (const auto rows = inputs.find("state_indices"); rows != inputs.end()) {
    const Tensor last = Tensor::from(rows->second.dtype, {1}, {static_cast<double>(problem.dims().pool)});
    rows->second = inserted(rows->second, n, last);
    inputs.at("initial_state") = joined(inputs.at("initial_state"), row, 0);
  } else if (inputs.contains("initial_state")) {
    inputs.at("initial_state") = inserted(inputs.at("initial_state"), n, row);
  }
  return inputs;
}

void check(const Trial& trial, Verdict& verdict) {
  const Problem& problem = trial.problem;
  const Outputs first = trial.kernel.run(problem);
  Generator draw(trial.seed, {0x656d707479});
  const std::int64_t n = draw.integer(0, static_cast<int>(problem.dims().N));
  const bool pool = problem.find("state_indices") != nullptr, given = problem.find("initial_state") != nullptr;
  const Tensor& states = first.tensors.at("final_state");
  Tensor row = row_of_zeros(states);
  if (given) row = drawn_states(row.shape, draw);
  const Problem second = problem.with_inputs(with_empty(problem, n, row));
  const std::optional<Outputs> got = second_run(trial, second, verdict);
  if (!got) return;
  Outputs expected = packed(first);
  expected.tensors["final_state"] = pool ? joined(states, row, 0) : inserted(states, n, row);
  expect_bits(second, expected, *got, fmt::format("an empty sequence at place {}: another one changed", n), verdict,
              answered(second, [n](const Location& where) { return where.sequence != n; }));
  expect_bits(second, expected, given ? *got : without_signs_of_zero(*got),
              fmt::format("the empty sequence at place {} did not keep its state", n), verdict,
              answered(second, [n](const Location& where) { return where.sequence == n; }));
}

}  // namespace

const Property empty_sequence{
    "empty_sequence",
    "a sequence without tokens, put in anywhere, changes no other one, and its final state is its initial state",
    &why_not, &check};

}  // namespace deltaproof::laws
