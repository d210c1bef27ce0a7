#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "properties/laws/second_run.hpp"
#include "reference/rules/cache_sets.hpp"

namespace deltaproof::laws {

/// "" for rule hola with a token to compute and a score that kernels have; else why not.
std::string without_cache(const Problem& problem);

/// The kernel's run of a problem of hola. Without scores or sets among its outputs there is none, and the verdict is
/// `skipped`; so if the kernel refuses the problem.
std::optional<Outputs> cache_run(const Trial& trial, const Problem& problem, Verdict& verdict);

/// One value head of a sequence.
struct CacheHead {
  const Sequence& sequence;
  std::int64_t head;
  std::vector<double> scores;  ///< of each token
  CacheSets rows;              ///< of each block, in the order of `selected` and without what is unused
};
/// Of every sequence that is computed. Both must outlive them.
std::vector<CacheHead> cache_heads(const Problem& problem, const Outputs& outputs);

/// Sets in ascending order.
CacheSets ascending(CacheSets rows);

/// Where the set of a block stands.
Location place_of_set(const CacheHead& head, std::int64_t block, std::int64_t cache_block);

/// The sets of two runs must be the same, whatever their order in a row; the first other one makes the verdict
/// `failed` with `what`.
void expect_sets(const CacheHead& head, const CacheSets& expected, const CacheSets& got, std::int64_t cache_block,
                 const std::string& what, Verdict& verdict);

/// A problem of hola with other options of its cache.
Problem with_cache(const Problem& problem, std::int64_t size, std::int64_t block);
/// The problem with one of its parameters (cache_gate, sink, gamma_q, gamma_k) the same in every head.
Problem with_parameter(const Problem& problem, const std::string& name, double value);
inline constexpr double closed_gate = -200;  ///< its sigmoid is below every number of fp32

}  // namespace deltaproof::laws
