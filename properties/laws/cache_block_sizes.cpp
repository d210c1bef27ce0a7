// Scores are fixed when a token is written, so how often the cache is brought up to date does not matter: what it holds
// before token 2nC is the same with blocks of C and of 2C. Online and blockwise are one cache.
#include <algorithm>

#include "properties/laws/cache.hpp"
#include "properties/laws/table.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial& trial) {
  if (std::string why = without_cache(trial.problem); !why.empty()) return why;
  return longest_answered(trial.problem) < 3 ? "no sequence has three tokens" : "";
}

void check(const Trial& trial, Verdict& verdict) {
  const HolaOptions& hola = trial.problem.options().hola;
  const std::int64_t C = std::clamp<std::int64_t>(longest_answered(trial.problem) / 5, 1, hola.cache_block);
  const Problem fine = with_cache(trial.problem, hola.cache_size, C);
  const std::optional<Outputs> first = cache_run(trial, fine, verdict);
  if (!first) return;
  for (const std::int64_t times : {2, 3}) {
    const Problem coarse = with_cache(trial.problem, hola.cache_size, times * C);
    const std::optional<Outputs> got = cache_run(trial, coarse, verdict);
    if (!got) return;
    const std::vector<CacheHead> of_fine = cache_heads(fine, *first), of_coarse = cache_heads(coarse, *got);
    for (std::size_t i = 0; i < of_fine.size(); ++i) {
      CacheSets common;
      for (std::size_t n = 0; n < of_coarse[i].rows.size(); ++n) {
        common.push_back(of_fine[i].rows[n * static_cast<std::size_t>(times)]);
      }
      expect_sets(of_coarse[i], ascending(common), ascending(of_coarse[i].rows), times * C,
                  "the cache hangs on how often it is brought up to date", verdict);
    }
  }
}

}  // namespace

const Property cache_block_sizes{
    "cache_block_sizes", "with blocks two and three times as long the cache holds the same tokens at common borders",
    &why_not, &check};

}  // namespace deltaproof::laws
