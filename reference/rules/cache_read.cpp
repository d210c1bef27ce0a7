#include "reference/rules/cache_read.hpp"

#include <string>

namespace deltaproof {

void require_cached(const std::vector<Index>& set, Index block, Index begin) {
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (set[i] < 0 || set[i] >= begin)
      throw InputError("block " + std::to_string(block) + " cannot have token " + std::to_string(set[i]) +
                       " in its cache: only tokens 0 to " + std::to_string(begin - 1) + " are before it");
    if (i > 0 && set[i] <= set[i - 1])
      throw InputError("block " + std::to_string(block) + ": token " + std::to_string(set[i]) +
                       " of the cache is out of order or there twice");
  }
}

Matrix rows_of(const Matrix& matrix, const std::vector<Index>& tokens) {
  Matrix rows(static_cast<Index>(tokens.size()), matrix.cols());
  for (std::size_t i = 0; i < tokens.size(); ++i) rows.row(static_cast<Index>(i)) = matrix.row(tokens[i]);
  return rows;
}

void require_cache_inputs(const HeadInputs& head) {
  require_shape(head.q, head.tokens, head.K, "q", "hola");
  require_shape(head.k, head.tokens, head.K, "k", "hola");
  require_shape(head.v, head.tokens, head.V, "v", "hola");
  if (head.options.hola.cache_block < 1) throw InputError("rule hola: cache_block must be at least 1");
  if (head.options.hola.read != CacheRead::rmsnorm) return;
  require_shape(head.gamma_q, 1, head.K, "gamma_q", "hola");
  require_shape(head.gamma_k, 1, head.K, "gamma_k", "hola");
}

}  // namespace deltaproof
