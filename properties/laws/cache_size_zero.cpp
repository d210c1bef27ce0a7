// Without a cache a query sees its block and the state. Where nothing is written (b = 0) the state is S_0 decayed,
// whatever the tokens were: then q, k and v of the blocks before change nothing. Signs of zeros are free: a chunk adds 0
// times them.
#include <fmt/format.h>

#include "properties/laws/applies.hpp"
#include "properties/laws/cache.hpp"
#include "properties/laws/other_values.hpp"
#include "properties/laws/table.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial& trial) {
  if (std::string why = without_cache(trial.problem); !why.empty()) return why;
  const Problem& problem = trial.problem;
  if (problem.find("beta") == nullptr && problem.find("eta") == nullptr) return "the rule writes whatever its inputs are";
  return longest_answered(problem) <= problem.options().hola.cache_block ? "no sequence has a second block" : "";
}

Problem without_writes(const Problem& problem) {
  TensorMap inputs = problem.tensors();
  for (const char* name : {"beta", "eta"}) {
    if (const auto found = inputs.find(name); found != inputs.end()) found->second = filled(found->second, 0);
  }
  return with_cache(problem.with_inputs(std::move(inputs)), 0, problem.options().hola.cache_block);
}

// Other rows before token `at`.
Problem changed_before(const Problem& problem, std::int64_t at) {
  TensorMap changed = with_other_values(problem, [at](const Sequence&, std::int64_t t) { return t < at; });
  TensorMap inputs = problem.tensors();
  for (const char* name : {"q", "k", "v"}) inputs.at(name) = changed.at(name);
  return problem.with_inputs(std::move(inputs));
}

void check(const Trial& trial, Verdict& verdict) {
  const Problem problem = without_writes(trial.problem);
  const std::int64_t C = problem.options().hola.cache_block;
  const std::optional<Outputs> first = second_run(trial, problem, verdict);
  if (!first || overflowed(problem, *first, answered(problem), verdict)) return;
  Generator draw = draws_of(trial, "cache_size_zero");
  const std::int64_t at = C * draw.integer(1, static_cast<int>((longest_answered(problem) - 1) / C));
  const std::optional<Outputs> got = second_run(trial, changed_before(problem, at), verdict);
  if (!got) return;
  expect_bits(problem, without_signs_of_zero(*first), without_signs_of_zero(*got),
              fmt::format("without a cache tokens before {}, which write nothing, are seen behind it", at), verdict,
              answered(problem, [at](const Location& where) { return where.tensor == "o" && where.token >= at; }));
}

}  // namespace

const Property cache_size_zero{
    "cache_size_zero", "with w = 0 tokens of earlier blocks are seen through the state alone", &why_not, &check};

}  // namespace deltaproof::laws
