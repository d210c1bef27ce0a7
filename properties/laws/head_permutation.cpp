// Key heads change places together with their value heads, and value heads within their group.
#include "properties/laws/draws.hpp"
#include "properties/laws/second_run.hpp"
#include "properties/laws/table.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial& trial) { return trial.problem.dims().HV == 1 ? "there is one value head" : ""; }

void check(const Trial& trial, Verdict& verdict) {
  const Problem& problem = trial.problem;
  const std::int64_t group = problem.dims().HV / problem.dims().H;
  Generator draw(trial.seed, {0x6865616473});
  const Indices keys = shuffled(problem.dims().H, draw);
  Indices values;
  for (const std::int64_t key : keys) {
    for (const std::int64_t value : shuffled(group, draw)) values.push_back(key * group + value);
  }
  const Problem second = problem.with_inputs(with_heads(problem, keys, values));
  const Outputs first = trial.kernel.run(problem);
  const std::optional<Outputs> got = second_run(trial, second, verdict);
  if (!got) return;
  expect_bits(second, with_heads(first, values), *got,
              "with the heads in another order one of them has other bits (its place is that of the second run)",
              verdict, answered(second));
}

}  // namespace

const Property head_permutation{"head_permutation",
                                "key heads in another order, with their value heads, give the same bits", &why_not,
                                &check};

}  // namespace deltaproof::laws
