// Value heads that share a key head: the same as if each had its own copy of it.
#include "properties/laws/parts.hpp"
#include "properties/laws/second_run.hpp"
#include "properties/laws/table.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial& trial) {
  return trial.problem.dims().HV == trial.problem.dims().H ? "every value head has a key head of its own" : "";
}

void check(const Trial& trial, Verdict& verdict) {
  const Problem& problem = trial.problem;
  const Dimensions& d = problem.dims();
  Indices keys;
  for (std::int64_t head = 0; head < d.HV; ++head) keys.push_back(head / (d.HV / d.H));
  const Problem second = problem.with_inputs(with_heads(problem, keys, range(0, d.HV)));
  const Outputs first = trial.kernel.run(problem);
  const std::optional<Outputs> got = second_run(trial, second, verdict);
  if (!got) return;
  expect_bits(problem, *got, first, "grouped value heads differ from heads that have copies of their keys", verdict,
              answered(problem));
}

}  // namespace

const Property grouped_heads{"grouped_heads",
                             "value heads that share a key head give the bits of heads with keys of their own",
                             &why_not, &check};

}  // namespace deltaproof::laws
