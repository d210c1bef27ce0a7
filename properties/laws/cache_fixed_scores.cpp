// Scores come from the write alone: neither the cache nor its reads enter them, nor the state.
#include "properties/laws/cache.hpp"
#include "properties/laws/other_values.hpp"
#include "properties/laws/table.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial& trial) { return without_cache(trial.problem); }

void expect_scores(const Trial& trial, const Problem& problem, const Outputs& first, const char* what, Verdict& verdict) {
  const std::optional<Outputs> got = cache_run(trial, problem, verdict);
  if (!got) return;
  Outputs expected;
  for (const char* name : {"scores", "final_state"}) expected.tensors[name] = first.tensors.at(name);
  expect_bits(trial.problem, expected, *got, what, verdict, answered(trial.problem));
}

Problem with_other_reads(const Problem& problem) {
  Options options = problem.options();
  options.hola.tau *= 2;
  TensorMap inputs = problem.tensors();
  inputs.at("q") = negated(inputs.at("q"));
  return with_parameter(problem.with_options(std::move(options), std::move(inputs)), "cache_gate", 1);
}

void check(const Trial& trial, Verdict& verdict) {
  const HolaOptions& hola = trial.problem.options().hola;
  const std::optional<Outputs> first = cache_run(trial, trial.problem, verdict);
  if (!first) return;
  expect_scores(trial, with_cache(trial.problem, hola.cache_size == 0 ? 5 : 0, hola.cache_block), *first,
                "scores hang on the size of the cache", verdict);
  expect_scores(trial, with_cache(trial.problem, hola.cache_size, hola.cache_block == 3 ? 2 : 3), *first,
                "scores hang on the blocks", verdict);
  expect_scores(trial, with_other_reads(trial.problem), *first, "scores hang on queries, gate or tau", verdict);
}

}  // namespace

const Property cache_fixed_scores{
    "cache_fixed_scores", "scores and states do not change with w, C, tau, the gate or the queries", &why_not, &check};

}  // namespace deltaproof::laws
