// Ranked by age, the cache is a window: before block n it holds tokens nC-w .. nC-1.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "properties/laws/cache.hpp"
#include "properties/laws/table.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial& trial) { return without_cache(trial.problem); }

Problem by_age(const Problem& problem) {
  Options options = problem.options();
  options.hola.score = CacheScore::recency;
  return problem.with_options(std::move(options), problem.tensors());
}

void check(const Trial& trial, Verdict& verdict) {
  const Problem problem = by_age(trial.problem);
  const HolaOptions& hola = problem.options().hola;
  const std::optional<Outputs> outputs = cache_run(trial, problem, verdict);
  if (!outputs) return;
  for (const CacheHead& head : cache_heads(problem, *outputs)) {
    CacheSets last(head.rows.size());
    for (std::size_t n = 0; n < last.size(); ++n) {
      const std::int64_t before = static_cast<std::int64_t>(n) * hola.cache_block;
      last[n].resize(static_cast<std::size_t>(std::min(hola.cache_size, before)));
      std::iota(last[n].begin(), last[n].end(), before - std::ssize(last[n]));
    }
    expect_sets(head, last, ascending(head.rows), hola.cache_block, "ranked by age the cache must hold the last tokens",
                verdict);
  }
}

}  // namespace

const Property cache_recency{"cache_recency", "ranked by recency the cache holds the last w tokens before each block",
                             &why_not, &check};

}  // namespace deltaproof::laws
