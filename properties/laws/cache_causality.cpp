// Scores of later tokens of a block, or of the whole sequence, are not used for what its queries see. `prefix_causality`
// at places of the cache: within a block, at its border, before and behind the token that fills the cache.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "properties/laws/applies.hpp"
#include "properties/laws/cache.hpp"
#include "properties/laws/other_values.hpp"
#include "properties/laws/promises.hpp"
#include "properties/laws/table.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial& trial) {
  if (std::string why = without_cache(trial.problem); !why.empty()) return why;
  return longest_answered(trial.problem) < 2 ? "no sequence has two tokens" : "";
}

// Later values of another size, too: what they are worth to the cache changes with it.
Problem changed_from(const Problem& problem, std::int64_t at) {
  TensorMap inputs = with_other_values(problem, [at](const Sequence&, std::int64_t t) { return t >= at; });
  Tensor& v = inputs.at("v");
  const std::vector<double> before = problem.find("v")->values();
  std::vector<double> now = v.values();
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (now[i] != before[i] && i % 3 == 0) now[i] *= 4;
  }
  v = Tensor::from(v.dtype, v.shape, now);
  return problem.with_inputs(std::move(inputs));
}

void check_from(const Trial& trial, const Outputs& first, std::int64_t at, Verdict& verdict) {
  const Problem& problem = trial.problem;
  const std::optional<Outputs> got = cache_run(trial, changed_from(problem, at), verdict);
  if (!got) return;
  const bool finite = all_finite(problem, first, answered(problem)) && all_finite(problem, *got, answered(problem));
  const std::int64_t seen = finite ? at : at / tokens_together(trial) * tokens_together(trial);
  expect_bits(problem, without_signs_of_zero(first), without_signs_of_zero(*got),
              fmt::format("other inputs from token {} on change what came before", at), verdict,
              answered(problem, [seen](const Location& where) { return is_before(where, seen); }));
}

void check(const Trial& trial, Verdict& verdict) {
  const HolaOptions& hola = trial.problem.options().hola;
  const std::int64_t last = longest_answered(trial.problem) - 1;
  const std::optional<Outputs> first = cache_run(trial, trial.problem, verdict);
  if (!first) return;
  Generator draw = draws_of(trial, "cache_causality");
  const std::int64_t C = hola.cache_block, borders = std::max<std::int64_t>(last / C, 1);
  const std::int64_t border = C * draw.integer(1, static_cast<int>(borders));
  std::set<std::int64_t> places;
  for (const std::int64_t at : {border - C / 2, border - 1, border, border + 1, hola.cache_size, last}) {
    if (at >= 1 && at <= last) places.insert(at);
  }
  for (const std::int64_t at : places) check_from(trial, *first, at, verdict);
}

}  // namespace

const Property cache_causality{
    "cache_causality",
    "inputs of tokens from P on, P in a block and at its border, change no row of o, no score and no set before",
    &why_not, &check};

}  // namespace deltaproof::laws
