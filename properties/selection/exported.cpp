#include "properties/selection/exported.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace deltaproof {
namespace {

template <class... Args>
SelectionFault fault_at(Index block, Index token, fmt::format_string<Args...> what, Args&&... args) {
  return {block, token, fmt::format(what, std::forward<Args>(args)...)};
}

// What makes one row no set of `size` tokens before `end`.
std::optional<SelectionFault> fault_of_row(const std::vector<Index>& row, Index n, Index end, Index size) {
  std::vector<bool> seen(static_cast<std::size_t>(end));
  Index held = 0;
  for (const Index t : row) {
    if (t == -1) continue;
    if (t < -1) return fault_at(n, -1, "the place of a token holds {}, which is no token and not -1", t);
    if (t >= end) return fault_at(n, t, "token {} is kept for block {}, which sees tokens before {} alone", t, n, end);
    if (seen[static_cast<std::size_t>(t)]) return fault_at(n, t, "token {} is kept twice for block {}", t, n);
    seen[static_cast<std::size_t>(t)] = true;
    ++held;
  }
  if (held == size) return std::nullopt;
  return fault_at(n, -1, "{} tokens are kept for block {}, though {} of the {} before it fit", held, n, size, end);
}

bool has(const std::vector<Index>& set, Index t) { return std::binary_search(set.begin(), set.end(), t); }

}  // namespace

ExportedSets exported_sets(const Tensor& selected, const Problem& problem, const Sequence& sequence,
                           std::int64_t head) {
  const HolaOptions& cache = problem.options().hola;
  const std::int64_t w = cache.cache_size, heads = problem.dims().HV, blocks = selected.shape.at(1);
  ExportedSets exported;
  for (Index n = 0; n < block_count(sequence.length, cache.cache_block); ++n) {
    const std::int64_t place = ((sequence.batch * blocks + sequence.first_block + n) * heads + head) * w;
    const Index end = n * cache.cache_block;
    std::vector<Index> row;
    for (std::int64_t i = 0; i < w; ++i) row.push_back(selected.integer(place + i));
    exported.fault = fault_of_row(row, n, end, std::min<Index>(w, end));
    if (exported.fault) return exported;
    std::erase(row, -1);
    std::sort(row.begin(), row.end());
    exported.sets.push_back(std::move(row));
  }
  return exported;
}

std::vector<double> exported_scores(const Tensor& scores, const Sequence& sequence, std::int64_t head) {
  const std::int64_t tokens = scores.shape.at(1), heads = scores.shape.at(2);
  std::vector<double> values;
  for (std::int64_t t = 0; t < sequence.length; ++t) {
    values.push_back(scores.value((sequence.batch * tokens + sequence.begin + t) * heads + head));
  }
  return values;
}

std::optional<SelectionFault> unranked_score(std::span<const double> scores) {
  for (std::size_t t = 0; t < scores.size(); ++t) {
    if (!std::isnan(scores[t])) continue;
    return fault_at(-1, static_cast<Index>(t), "the score of token {} is NaN, which has no rank", t);
  }
  return std::nullopt;
}

std::optional<SelectionFault> returned_token(const CacheSets& sets, Index block) {
  for (std::size_t n = 1; n < sets.size(); ++n) {
    const Index begin = static_cast<Index>(n - 1) * block;
    for (const Index t : sets[n]) {
      if (t >= begin || has(sets[n - 1], t)) continue;
      return fault_at(static_cast<Index>(n), t, "token {} is kept for block {}, though it was not kept for block {}", t, n,
                      n - 1);
    }
  }
  return std::nullopt;
}

std::optional<SelectionFault> not_exact_top_w(std::span<const double> scores, const CacheSets& sets, Index w,
                                              Index block) {
  if (std::optional<SelectionFault> fault = unranked_score(scores)) return fault;
  const CacheSets right = blockwise_sets(scores, w, block);
  for (std::size_t n = 0; n < right.size() && n < sets.size(); ++n) {
    if (sets[n] == right[n]) continue;
    Index kept = -1, evicted = -1;
    for (const Index t : sets[n]) {
      if (!has(right[n], t)) kept = t;
    }
    for (const Index t : right[n]) {
      if (!has(sets[n], t) && evicted < 0) evicted = t;
    }
    const auto score = [&](Index t) { return t < 0 ? 0 : scores[static_cast<std::size_t>(t)]; };
    const bool tie = kept >= 0 && evicted >= 0 && score(kept) == score(evicted);
    return fault_at(static_cast<Index>(n), kept,
                    "token {} with score {} is kept for block {} in place of token {} with score {}{}", kept, score(kept), n,
                    evicted, score(evicted), tie ? ", an equal score, where the earlier token stays" : "");
  }
  return std::nullopt;
}

}  // namespace deltaproof
