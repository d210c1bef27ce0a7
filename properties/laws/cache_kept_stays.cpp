// A kept token whose score rises stays. Scores follow other tokens' errors, so this is asked of score `beta_v` = |b| |v|,
// which is a token's own: twice its v is twice its score, exactly, and no other score changes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "properties/laws/applies.hpp"
#include "properties/laws/cache.hpp"
#include "properties/laws/draws.hpp"
#include "properties/laws/table.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial& trial) {
  if (std::string why = without_cache(trial.problem); !why.empty()) return why;
  const HolaOptions& hola = trial.problem.options().hola;
  if (hola.cache_size == 0) return "there is no room in the cache";
  return longest_answered(trial.problem) <= hola.cache_block ? "no sequence has a second block" : "";
}

Problem by_values(const Problem& problem) {
  Options options = problem.options();
  options.hola.score = CacheScore::beta_v;
  return problem.with_options(std::move(options), problem.tensors());
}

Problem with_twice(const Problem& problem, const CacheHead& head, Index token) {
  const Dimensions& d = problem.dims();
  TensorMap inputs = problem.tensors();
  Tensor& v = inputs.at("v");
  const std::int64_t row = (head.sequence.batch * d.T + head.sequence.begin + token) * d.HV + head.head;
  for (std::int64_t c = row * d.V; c < (row + 1) * d.V; ++c) set_value(v, c, 2 * v.value(c));
  return problem.with_inputs(std::move(inputs));
}

bool holds(const std::vector<Index>& set, Index token) { return std::find(set.begin(), set.end(), token) != set.end(); }

void check(const Trial& trial, Verdict& verdict) {
  const Problem problem = by_values(trial.problem);
  const std::int64_t C = problem.options().hola.cache_block;
  const std::optional<Outputs> first = cache_run(trial, problem, verdict);
  if (!first) return;
  Generator draw = draws_of(trial, "cache_kept_stays");
  const std::vector<CacheHead> heads = cache_heads(problem, *first);
  verdict.bound = "exact";
  for (std::size_t i = 0; i < heads.size(); ++i) {
    if (heads[i].rows.size() < 2) continue;
    const Index token = one_of(heads[i].rows.back(), draw);
    const Problem raised = with_twice(problem, heads[i], token);
    const std::optional<Outputs> got = cache_run(trial, raised, verdict);
    if (!got) return;
    const CacheHead after = cache_heads(raised, *got)[i];
    for (std::size_t n = 0; n < after.rows.size(); ++n) {
      if (!holds(heads[i].rows[n], token)) continue;
      ++verdict.compared;
      if (holds(after.rows[n], token)) continue;
      broken(verdict, place_of_set(after, static_cast<std::int64_t>(n), C),
             fmt::format("token {} was kept, and is not with twice the score", token));
    }
  }
}

}  // namespace

const Property cache_kept_stays{"cache_kept_stays", "a kept token is kept with twice its score", &why_not, &check};

}  // namespace deltaproof::laws
