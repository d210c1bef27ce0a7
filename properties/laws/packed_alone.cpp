// Sequences have nothing to do with each other: neither the neighbours in memory nor the place in the batch may be
// seen.
#include <fmt/format.h>

#include "properties/laws/draws.hpp"
#include "properties/laws/second_run.hpp"
#include "properties/laws/table.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial& trial) {
  const Problem& problem = trial.problem;
  if (computed_sequences(problem, 1).empty()) return "no sequence has tokens";
  const bool plain = problem.find("cu_seqlens") == nullptr && problem.find("state_indices") == nullptr;
  return problem.dims().N == 1 && plain ? "the one sequence is alone as it is" : "";
}

Problem alone(const Problem& problem, const Sequence& sequence) {
  TensorMap inputs = with_sequences(problem, {sequence.index}, false);
  inputs.erase("cu_seqlens");
  if (inputs.erase("state_indices") > 0) {
    Tensor& states = inputs.at("initial_state");
    states = taken(states, 0, {sequence.state_row});
  }
  return problem.with_inputs(std::move(inputs));
}

void check(const Trial& trial, Verdict& verdict) {
  const Problem& problem = trial.problem;
  const Outputs all = trial.kernel.run(problem);
  for (const std::int64_t n : computed_sequences(problem, 1)) {
    const Sequence& sequence = problem.sequences()[static_cast<std::size_t>(n)];
    const Problem one = alone(problem, sequence);
    const std::optional<Outputs> got = second_run(trial, one, verdict);
    if (!got) return;
    Outputs expected = with_sequences(problem, all, {n}, false);
    expected.tensors["final_state"] = taken(all.tensors.at("final_state"), 0, {sequence.state_row});
    expect_bits(one, expected, *got, fmt::format("sequence {} alone gives other bits", n), verdict);
  }
}

}  // namespace

const Property packed_alone{
    "packed_alone", "each sequence of a packed problem, or of a batch, gives the same bits alone", &why_not, &check};

}  // namespace deltaproof::laws
