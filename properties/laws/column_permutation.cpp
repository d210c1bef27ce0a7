// Value channels do not mix: o and the state in channel j come from v in channel j.
#include "properties/laws/draws.hpp"
#include "properties/laws/second_run.hpp"
#include "properties/laws/table.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial& trial) { return trial.problem.dims().V == 1 ? "there is one value channel" : ""; }

void check(const Trial& trial, Verdict& verdict) {
  const Problem& problem = trial.problem;
  Generator draw(trial.seed, {0x636f6c756d6e});
  const Indices order = shuffled(problem.dims().V, draw);
  const Problem second = problem.with_inputs(with_columns(problem, order));
  const Outputs first = trial.kernel.run(problem);
  const std::optional<Outputs> got = second_run(trial, second, verdict);
  if (!got) return;
  expect_bits(second, with_columns(problem, first, order), *got,
              "with the value channels in another order one has other bits (its place is that of the second run)",
              verdict, answered(second, of_columns(problem)));
}

}  // namespace

const Property column_permutation{"column_permutation",
                                  "value channels of v and of the states in another order give the same bits",
                                  &why_not, &check};

}  // namespace deltaproof::laws
