// A cache with room for all tokens holds all: more room changes nothing.
#include <utility>

#include "properties/laws/cache.hpp"
#include "properties/laws/table.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial& trial) { return without_cache(trial.problem); }

void check(const Trial& trial, Verdict& verdict) {
  const std::int64_t T = longest_answered(trial.problem), C = trial.problem.options().hola.cache_block;
  const Problem full = with_cache(trial.problem, T, C), larger = with_cache(trial.problem, T + 7, C);
  std::optional<Outputs> first = cache_run(trial, full, verdict);
  if (!first) return;
  const std::optional<Outputs> got = cache_run(trial, larger, verdict);
  if (!got) return;
  const std::vector<CacheHead> of_full = cache_heads(full, *first), of_larger = cache_heads(larger, *got);
  for (std::size_t i = 0; i < of_full.size(); ++i) {
    expect_sets(of_full[i], of_full[i].rows, of_larger[i].rows, C,
                "with room for all tokens, more room changes the cache", verdict);
  }
  first->tensors.erase("selected");  // of another shape
  expect_bits(full, *first, *got, "with room for all tokens, more room changes a value", verdict, answered(full));
}

}  // namespace

const Property cache_holds_all{"cache_holds_all", "from w = T on a larger cache gives the same bits", &why_not, &check};

}  // namespace deltaproof::laws
