// A head of many is a head alone: it sees its own key head, gates and state, and nothing else.
#include <fmt/format.h>

#include "properties/laws/parts.hpp"
#include "properties/laws/second_run.hpp"
#include "properties/laws/table.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial& trial) {
  return trial.problem.dims().HV == 1 ? "the one head is alone as it is" : "";
}

void check(const Trial& trial, Verdict& verdict) {
  const Problem& problem = trial.problem;
  const std::int64_t group = problem.dims().HV / problem.dims().H;
  const Outputs all = trial.kernel.run(problem);
  for (std::int64_t head = 0; head < problem.dims().HV; ++head) {
    const Problem one = problem.with_inputs(with_heads(problem, {head / group}, {head}));
    const std::optional<Outputs> got = second_run(trial, one, verdict);
    if (!got) return;
    expect_bits(one, with_heads(all, {head}), *got, fmt::format("value head {} alone gives other bits", head),
                verdict, answered(one));
  }
}

}  // namespace

const Property head_alone{"head_alone", "each value head, with its key head, gives the same bits alone", &why_not,
                          &check};

}  // namespace deltaproof::laws
