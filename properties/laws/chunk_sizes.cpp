// One kernel at every chunk size that it has: the right answer does not know of chunks.
#include <fmt/format.h>

#include <vector>

#include "properties/laws/applies.hpp"
#include "properties/laws/bounded.hpp"
#include "properties/laws/table.hpp"
#include "reference/bounds/head_bound.hpp"

namespace deltaproof::laws {
namespace {

// Those that the kernel computes, the problem's own first.
std::vector<Problem> sizes(const Trial& trial) {
  std::vector<Problem> problems{trial.problem};
  for (const std::int64_t size : {16, 32, 64}) {
    Options options = trial.problem.options();
    if (size == options.chunk_size) continue;
    options.chunk_size = options.states_every = size;
    Problem problem = trial.problem.with_options(options, trial.problem.tensors());
    if (trial.kernel.refusal(problem).empty()) problems.push_back(std::move(problem));
  }
  return problems;
}

std::string why_not(const Trial& trial) {
  if (std::string why = outside_update_family(trial.problem); !why.empty()) return why;
  const BoundChoice choice = choose_bound(trial.kernel.arithmetic(), trial.problem);
  if (choice.kind != BoundChoice::Kind::chunk) return "the kernel has no chunks";
  return sizes(trial).size() > 1 ? "" : "the kernel has one chunk size";
}

void check(const Trial& trial, Verdict& verdict) {
  const std::vector<Problem> problems = sizes(trial);
  const Outputs first = trial.kernel.run(problems[0]);
  const RunBound bound = bound_in_range(problems[0], trial.kernel, first);
  Bounded bounded(verdict);
  for (std::size_t i = 1; i < problems.size(); ++i) {
    const Outputs other = trial.kernel.run(problems[i]);
    bounded.about(fmt::format("chunks of {} against chunks of {}", problems[i].options().chunk_size,
                              problems[0].options().chunk_size));
    bounded.outputs(trial.problem, first, sum_of(bound.bound, bound_in_range(problems[i], trial.kernel, other).bound),
                    other);
  }
  bounded.conclude();
}

}  // namespace

const Property chunk_sizes{"chunk_sizes", "runs of one kernel at other chunk sizes agree within both bounds",
                           &why_not, &check};

}  // namespace deltaproof::laws
