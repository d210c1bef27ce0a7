// The recurrence is linear in v and the initial state: times 2^n, so are o and the final state. When that holds in
// bits, and what holds else: scaling.hpp.
#include <fmt/format.h>

#include "properties/laws/scaling.hpp"
#include "properties/laws/table.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial&) { return {}; }

bool scores_follow(const Problem& problem) { return problem.options().hola.score != CacheScore::recency; }

void check(const Trial& trial, Verdict& verdict) {
  const Problem& problem = trial.problem;
  Generator draw(trial.seed, {0x76616c756573});
  const std::optional<int> n = exact_exponent(problem, {"v", "initial_state"}, {}, draw);
  if (!n) return;
  TensorMap inputs = problem.tensors();
  for (const char* name : {"v", "initial_state"}) {
    if (const auto found = inputs.find(name); found != inputs.end()) found->second = scaled(found->second, *n);
  }
  expect_scaled(trial, problem, problem.with_inputs(std::move(inputs)),
                {.o = *n, .final_state = *n, .scores = scores_follow(problem) ? *n : 0},
                fmt::format("v and the initial state times 2^{}", *n), verdict);
}

}  // namespace

const Property value_scaling{
    "value_scaling", "v and the initial state times 2^n give o and the final state times 2^n", &why_not, &check};

}  // namespace deltaproof::laws
