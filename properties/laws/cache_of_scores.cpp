// The cache is what its scores say: A_n is the w highest of tokens 0 .. nC-1, the earlier of equal ones. By definition,
// all of them sorted before each block; evictions one after the other come to the same, for scores do not change.
#include <fmt/format.h>

#include <cmath>
#include <span>

#include "properties/laws/cache.hpp"
#include "properties/laws/table.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial& trial) { return without_cache(trial.problem); }

void check(const Trial& trial, Verdict& verdict) {
  const HolaOptions& hola = trial.problem.options().hola;
  const std::optional<Outputs> outputs = cache_run(trial, trial.problem, verdict);
  if (!outputs) return;
  for (const CacheHead& head : cache_heads(trial.problem, *outputs)) {
    CacheSets expected(head.rows.size());
    for (std::size_t t = 0; t < head.scores.size(); ++t) {
      if (!std::isnan(head.scores[t])) continue;
      return broken(verdict, place_of_set(head, static_cast<std::int64_t>(t), 1), "a score is NaN: it has no rank");
    }
    for (std::size_t n = 0; n < expected.size(); ++n) {
      const auto before = n * static_cast<std::size_t>(hola.cache_block);
      expected[n] = top_w(std::span(head.scores).first(before), hola.cache_size);
    }
    expect_sets(head, expected, ascending(head.rows), hola.cache_block, "the cache is not the best by its own scores",
                verdict);
  }
}

}  // namespace

const Property cache_of_scores{
    "cache_of_scores", "before each block the cache holds the w highest of the kernel's own scores, earlier tokens first",
    &why_not, &check};

}  // namespace deltaproof::laws
