#pragma once

#include <set>
#include <span>
#include <vector>

#include "reference/problem/matrix.hpp"

namespace deltaproof {

/// What the queries of each block see of the tokens before it (HOLA paper, section 'Exact cache'): A_n, n = 0 .. NB-1,
/// of one head of one sequence, each in ascending order. A_0 is empty.
using CacheSets = std::vector<std::vector<Index>>;

/// An entry of the cache: a token and what it is ranked by.
struct Ranked {
  double score = 0;
  Index token = 0;
};

/// The order of the cache: the higher score first; of equal scores the earlier token.
struct RanksBefore {
  bool operator()(const Ranked& a, const Ranked& b) const {
    return a.score != b.score ? a.score > b.score : a.token < b.token;
  }
};

/// Throws InputError for a score that is NaN: it has no rank.
void require_ranked(std::span<const double> scores);

/// Blocks of a sequence: ceil(tokens / block).
inline Index block_count(Index tokens, Index block) { return (tokens + block - 1) / block; }

/// The best `w` of two lists that are in the order of the cache, in that order.
std::vector<Ranked> merge_ranked(std::span<const Ranked> a, std::span<const Ranked> b, Index w);

/// The best `w` of `entries`, in the order of the cache. Throws InputError for a NaN.
std::vector<Ranked> best_of(std::vector<Ranked> entries, Index w);

/// Tokens of `entries` in ascending order.
std::vector<Index> tokens_of(std::span<const Ranked> entries);

/// The `w` highest-scoring tokens, by definition: all of them sorted. Ascending.
std::vector<Index> top_w(std::span<const double> scores, Index w);

/// A cache that takes one token after the other and evicts the last in its order once it holds more than `w`.
class OnlineCache {
 public:
  explicit OnlineCache(Index w) : w_(w) {}
  /// Takes a token; returns the one that leaves (perhaps itself), or -1.
  Index take(const Ranked& entry);
  std::vector<Index> tokens() const;  ///< ascending

 private:
  Index w_;
  std::set<Ranked, RanksBefore> entries_;
};

/// A_n by one token at a time. Throws InputError for a NaN.
CacheSets online_sets(std::span<const double> scores, Index w, Index block);

/// A_n by one merge at the end of each block. Throws InputError for a NaN.
CacheSets blockwise_sets(std::span<const double> scores, Index w, Index block);

}  // namespace deltaproof
