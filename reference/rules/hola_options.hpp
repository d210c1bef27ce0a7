#pragma once

#include <cstdint>

#include "reference/rules/rule.hpp"

namespace deltaproof {

/// What an entry of HOLA's cache is ranked by (HOLA paper, Eqs. 5 and 6, and its ablations). All but `attention` are
/// fixed when the token is written.
enum class CacheScore {
  beta_e,      ///< b |e|, e against the decayed state: the paper's
  write_norm,  ///< b |k| |e| = |b k e^T|_F: the same for unit keys
  e,           ///< |e|
  beta_v,      ///< b |v|
  recency,     ///< t
  attention,   ///< weights that the reads gave it so far; evaluated at the end of a block
};

/// Which rows the cache is read with.
enum class CacheRead {
  rmsnorm,  ///< gamma o x / sqrt(mean(x^2) + read_eps)
  l2,       ///< the flat read: x / sqrt(sum x^2 + qk_l2norm_eps)
};

/// Options of rule `hola`.
struct HolaOptions {
  std::int64_t cache_size = 64;    ///< w, entries kept across blocks; 0: none
  std::int64_t cache_block = 256;  ///< C, tokens between updates of the cache
  CacheScore score = CacheScore::beta_e;
  CacheRead read = CacheRead::rmsnorm;
  double tau = 1;                  ///< multiplies the logits
  double read_eps = 1e-6;
  Rule state_rule = Rule::gated_delta;  ///< of the state beside the cache: gated_delta or kla
};

}  // namespace deltaproof
