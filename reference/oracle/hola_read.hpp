#pragma once

#include "reference/oracle/answer.hpp"
#include "reference/rules/cache_read.hpp"

namespace deltaproof {

/// The share of the output that comes from the cache, sigmoid(gate) o_cache, with certified radii: tokens x V.
struct CacheReadAnswer {
  Matrix o, o_radius;
};

/// For given sets, in double at 53 bits, else in MPFR (docs/certificate.md, theorem 10). Reads q, k, v, gammas, sink,
/// gate and options of the head, not its state. Throws InputError for sets that no block could have.
CacheReadAnswer cache_read_answer(const HeadInputs& head, const CacheSets& sets, int bits = 53);

/// The same in intervals.
CacheReadAnswer cache_read_intervals(const HeadInputs& head, const CacheSets& sets, int bits);

/// One block of it in intervals, with A_n = `set`: rows are the block's tokens.
CacheReadAnswer cache_block_intervals(const HeadInputs& head, Index n, const std::vector<Index>& set, int bits);

/// The cache ranked by the weights that its reads gave: what of it is certain. `radius` as in CacheScores.
struct AttentionAnswer {
  Matrix score, radius;
  CacheSets sets;
  std::vector<bool> certain;  ///< from the first A_n that is not, none is
};

/// R is double, Mpfr or Interval; for the latter two the caller holds a WorkingPrecision of at least `bits`.
template <class R>
AttentionAnswer attention_answer(const HeadInputs& head, int bits);

}  // namespace deltaproof
