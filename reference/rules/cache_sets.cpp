#include "reference/rules/cache_sets.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "reference/problem/input_error.hpp"

namespace deltaproof {
namespace {

std::size_t size_of(Index w) { return static_cast<std::size_t>(std::max<Index>(w, 0)); }

std::vector<Ranked> ranked(std::span<const double> scores, Index first, Index last) {
  std::vector<Ranked> entries;
  for (Index t = first; t < last; ++t) entries.push_back({scores[static_cast<std::size_t>(t)], t});
  return entries;
}

}  // namespace

void require_ranked(std::span<const double> scores) {
  for (std::size_t t = 0; t < scores.size(); ++t)
    if (std::isnan(scores[t])) throw InputError("the score of token " + std::to_string(t) + " is NaN: it has no rank");
}

std::vector<Ranked> merge_ranked(std::span<const Ranked> a, std::span<const Ranked> b, Index w) {
  std::vector<Ranked> result;
  std::size_t i = 0, j = 0;
  while (result.size() < size_of(w) && (i < a.size() || j < b.size())) {
    const bool from_a = j == b.size() || (i < a.size() && RanksBefore()(a[i], b[j]));
    result.push_back(from_a ? a[i++] : b[j++]);
  }
  return result;
}

std::vector<Ranked> best_of(std::vector<Ranked> entries, Index w) {
  for (const Ranked& entry : entries)
    if (std::isnan(entry.score))
      throw InputError("the score of token " + std::to_string(entry.token) + " is NaN: it has no rank");
  const auto kept = static_cast<std::ptrdiff_t>(std::min(size_of(w), entries.size()));
  std::partial_sort(entries.begin(), entries.begin() + kept, entries.end(), RanksBefore());
  entries.resize(static_cast<std::size_t>(kept));
  return entries;
}

std::vector<Index> tokens_of(std::span<const Ranked> entries) {
  std::vector<Index> tokens;
  for (const Ranked& entry : entries) tokens.push_back(entry.token);
  std::sort(tokens.begin(), tokens.end());
  return tokens;
}

std::vector<Index> top_w(std::span<const double> scores, Index w) {
  return tokens_of(best_of(ranked(scores, 0, static_cast<Index>(scores.size())), w));
}

Index OnlineCache::take(const Ranked& entry) {
  entries_.insert(entry);
  if (entries_.size() <= size_of(w_)) return -1;
  const auto last = std::prev(entries_.end());
  const Index evicted = last->token;
  entries_.erase(last);
  return evicted;
}

std::vector<Index> OnlineCache::tokens() const {
  return tokens_of(std::vector<Ranked>(entries_.begin(), entries_.end()));
}

CacheSets online_sets(std::span<const double> scores, Index w, Index block) {
  require_ranked(scores);
  CacheSets sets;
  OnlineCache cache(w);
  for (Index t = 0; t < static_cast<Index>(scores.size()); ++t) {
    if (t % block == 0) sets.push_back(cache.tokens());
    cache.take({scores[static_cast<std::size_t>(t)], t});
  }
  return sets;
}

CacheSets blockwise_sets(std::span<const double> scores, Index w, Index block) {
  CacheSets sets;
  std::vector<Ranked> cache;
  const auto tokens = static_cast<Index>(scores.size());
  for (Index begin = 0; begin < tokens; begin += block) {
    sets.push_back(tokens_of(cache));
    cache = merge_ranked(cache, best_of(ranked(scores, begin, std::min(begin + block, tokens)), w), w);
  }
  return sets;
}

}  // namespace deltaproof
