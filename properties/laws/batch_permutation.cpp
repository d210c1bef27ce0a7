// What a sequence gives does not depend on its place among the others.
#include "properties/laws/draws.hpp"
#include "properties/laws/second_run.hpp"
#include "properties/laws/table.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial& trial) { return trial.problem.dims().N == 1 ? "there is one sequence" : ""; }

void check(const Trial& trial, Verdict& verdict) {
  const Problem& problem = trial.problem;
  Generator draw(trial.seed, {0x6261746368});
  const Indices order = shuffled(problem.dims().N, draw);
  const Problem second = problem.with_inputs(with_sequences(problem, order));
  const Outputs first = trial.kernel.run(problem);
  expect_second_run(trial, second, with_sequences(problem, first, order),
                    "with the sequences in another order one of them has other bits "
                    "(its place is that of the second run)",
                    verdict);
}

}  // namespace

const Property batch_permutation{"batch_permutation", "sequences in another order give the same bits", &why_not,
                                 &check};

}  // namespace deltaproof::laws
