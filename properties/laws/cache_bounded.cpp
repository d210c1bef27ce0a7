// What a query sees: w tokens of the cache at most, its block up to itself, one sink. None of its own block is in the
// cache, so none is seen twice.
#include <fmt/format.h>

#include <algorithm>

#include "properties/laws/cache.hpp"
#include "properties/laws/table.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial& trial) { return without_cache(trial.problem); }

// What is wrong with the set of a block; empty if nothing.
std::string wrong_in(const std::vector<Index>& set, std::int64_t begin, const HolaOptions& hola) {
  if (std::ssize(set) > hola.cache_size) return fmt::format("{} tokens in a cache of {}", set.size(), hola.cache_size);
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (set[i] < 0) return fmt::format("{} is no token", set[i]);
    if (set[i] >= begin) return fmt::format("token {} is not before the block, which begins at {}", set[i], begin);
    if (i > 0 && set[i] == set[i - 1]) return fmt::format("token {} is there twice", set[i]);
  }
  const std::int64_t wanted = std::min(hola.cache_size, begin);
  return std::ssize(set) == wanted ? "" : fmt::format("{} tokens in a cache that has room for {}", set.size(), wanted);
}

void check(const Trial& trial, Verdict& verdict) {
  const HolaOptions& hola = trial.problem.options().hola;
  const std::optional<Outputs> outputs = cache_run(trial, trial.problem, verdict);
  if (!outputs) return;
  verdict.bound = "exact";
  for (const CacheHead& head : cache_heads(trial.problem, *outputs)) {
    const CacheSets sets = ascending(head.rows);
    for (std::size_t n = 0; n < sets.size(); ++n) {
      ++verdict.compared;
      const std::int64_t begin = static_cast<std::int64_t>(n) * hola.cache_block;
      const std::string wrong = wrong_in(sets[n], begin, hola);
      if (!wrong.empty()) broken(verdict, place_of_set(head, static_cast<std::int64_t>(n), hola.cache_block), wrong);
    }
  }
}

}  // namespace

const Property cache_bounded{
    "cache_bounded",
    "a set holds min(w, nC) tokens from before its block, none twice: a query sees w + C + 1 entries at most", &why_not,
    &check};

}  // namespace deltaproof::laws
