// What HOLA's cache keeps: another moment, another order, another number of entries, another head or sequence.
#include <algorithm>
#include <functional>
#include <utility>

#include "properties/defects/tables.hpp"

namespace deltaproof {
namespace {

using Heads = std::span<const HolaHead>;
using EditRows = void (*)(Heads, const HolaHead&, CacheSets&);

HolaFault rows(EditRows edit) {
  HolaFault fault;
  fault.rows = edit;
  return fault;
}

std::vector<Ranked> entries_between(const HolaHead& head, Index begin, Index end) {
  std::vector<Ranked> entries;
  for (Index t = begin; t < std::min(end, head.inputs.tokens); ++t) {
    entries.push_back({head.scores[static_cast<std::size_t>(t)], t});
  }
  return entries;
}

std::vector<Index> in_order(const std::vector<Ranked>& entries) {
  std::vector<Index> tokens;
  for (const Ranked& entry : entries) tokens.push_back(entry.token);
  return tokens;
}

Index places(const HolaHead& head) { return head.inputs.options.hola.cache_size; }

// The best `w` of tokens [begin, end), best first.
std::vector<Index> best_between(const HolaHead& head, Index begin, Index end, Index w) {
  return in_order(best_of(entries_between(head, begin, end), w));
}

// Calls edit(row, first token of the block).
template <class Edit>
void each_row(const HolaHead& head, CacheSets& sets, Edit edit) {
  Index begin = 0;
  for (std::vector<Index>& row : sets) {
    edit(row, begin);
    begin += head.inputs.options.hola.cache_block;
  }
}

// A_n chosen of all tokens up to `shift` tokens behind the border of the block.
void shifted_border(const HolaHead& head, CacheSets& sets, Index shift) {
  each_row(head, sets, [&](std::vector<Index>& row, Index begin) {
    if (begin > 0) row = best_between(head, 0, begin + shift, places(head));
  });
}

void border_late(Heads, const HolaHead& head, CacheSets& sets) { shifted_border(head, sets, 1); }
void border_early(Heads, const HolaHead& head, CacheSets& sets) { shifted_border(head, sets, -1); }

void of_next_block(Heads, const HolaHead& head, CacheSets& sets) {
  each_row(head, sets, [&](std::vector<Index>& row, Index begin) {
    row = best_between(head, 0, begin + head.inputs.options.hola.cache_block, places(head));
  });
}

void of_whole_sequence(Heads, const HolaHead& head, CacheSets& sets) {
  for (std::vector<Index>& row : sets) row = best_between(head, 0, head.inputs.tokens, places(head));
}

void of_block_before(Heads, const HolaHead&, CacheSets& sets) {
  if (sets.empty()) return;
  std::rotate(sets.begin(), sets.end() - 1, sets.end());
  sets.front().clear();
}

void lowest_dropped(Heads, const HolaHead& head, CacheSets& sets) {
  for (std::vector<Index>& row : sets) {
    if (std::ssize(row) == places(head)) row.pop_back();
  }
}

void one_place_less(Heads, const HolaHead& head, CacheSets& sets) {
  each_row(head, sets,
           [&](std::vector<Index>& row, Index begin) { row = best_between(head, 0, begin, places(head) - 1); });
}

// The w first of all tokens before a block, in an order of its own.
void in_another_order(const HolaHead& head, CacheSets& sets,
                      const std::function<bool(const Ranked&, const Ranked&)>& before) {
  each_row(head, sets, [&](std::vector<Index>& row, Index begin) {
    std::vector<Ranked> entries = entries_between(head, 0, begin);
    std::ranges::sort(entries, before);
    entries.resize(row.size());
    row = in_order(entries);
  });
}

void later_of_ties(Heads, const HolaHead& head, CacheSets& sets) {
  in_another_order(head, sets, [](const Ranked& a, const Ranked& b) {
    return a.score != b.score ? a.score > b.score : a.token > b.token;
  });
}

void lowest_kept(Heads, const HolaHead& head, CacheSets& sets) {
  in_another_order(head, sets, [](const Ranked& a, const Ranked& b) {
    return a.score != b.score ? a.score < b.score : a.token < b.token;
  });
}

void first_kept(Heads, const HolaHead& head, CacheSets& sets) {
  in_another_order(head, sets, [](const Ranked& a, const Ranked& b) { return a.token < b.token; });
}

void last_kept(Heads, const HolaHead& head, CacheSets& sets) {
  in_another_order(head, sets, [](const Ranked& a, const Ranked& b) { return a.token > b.token; });
}

void block_alone(Heads, const HolaHead& head, CacheSets& sets) {
  const Index block = head.inputs.options.hola.cache_block;
  each_row(head, sets, [&](std::vector<Index>& row, Index begin) {
    if (begin > 0) row = best_between(head, begin - block, begin, places(head));
  });
}

// The old cache and the block are merged, but of the block only its best.
void one_of_each_block(Heads, const HolaHead& head, CacheSets& sets) {
  const Index block = head.inputs.options.hola.cache_block;
  std::vector<Ranked> kept;
  each_row(head, sets, [&](std::vector<Index>& row, Index begin) {
    row = in_order(kept);
    for (const Ranked& best : best_of(entries_between(head, begin, begin + block), 1)) kept.push_back(best);
    kept = best_of(std::move(kept), places(head));
  });
}

void of_first_head(Heads heads, const HolaHead& own, CacheSets& sets) {
  const auto first = std::ranges::find_if(
      heads, [&](const HolaHead& other) { return other.sequence == own.sequence && other.head == 0; });
  sets = first->rows;
}

// The entries of the sequence before stay: its scores, and its numbers of tokens, as far as there are such tokens.
void not_reset(Heads heads, const HolaHead& own, CacheSets& sets) {
  std::vector<Ranked> kept;
  for (const HolaHead& other : heads) {
    if (other.head != own.head || other.sequence >= own.sequence || other.inputs.tokens == 0) continue;
    kept = best_of(entries_between(other, 0, other.inputs.tokens), places(other));
  }
  std::erase_if(kept, [&](const Ranked& entry) { return entry.token >= own.inputs.tokens; });
  const Index block = own.inputs.options.hola.cache_block;
  each_row(own, sets, [&](std::vector<Index>& row, Index begin) {
    row = in_order(kept);
    for (const Ranked& entry : entries_between(own, begin, begin + block)) kept.push_back(entry);
    kept = best_of(std::move(kept), places(own));
  });
}

}  // namespace

std::vector<Defect> selection_defects() {
  using enum Stage;
  constexpr Reach everywhere = Reach::everywhere;
  constexpr BugClass top_k = BugClass::eviction, causality = BugClass::causality;
  constexpr Needs some = Needs::cache, kept = Needs::cache | Needs::two_blocks, full = Needs::cache | Needs::full_cache;
  return {
      {"cache_future", selection, causality, "scores of a block decide what its own queries see", "A_{n+1} for A_n",
       rows(of_next_block), everywhere, some},
      {"cache_whole_sequence", selection, causality, "the cache is chosen of the whole sequence",
       "A_n = top-w of m_0 .. m_{T-1}", rows(of_whole_sequence), everywhere, some},
      {"cache_border_late", selection, causality, "the first token of a block is in its cache, too",
       "A_n of tokens <= nC", rows(border_late), everywhere, kept},
      {"cache_border_early", selection, top_k, "the last token before a block is in neither part",
       "A_n of tokens < nC - 1", rows(border_early), everywhere, kept},
      {"cache_stale", selection, BugClass::races, "a block sees the cache of the block before", "A_{n-1} for A_n",
       rows(of_block_before), everywhere, kept},
      {"cache_evict_first", selection, top_k, "a full cache drops its lowest entry before the block reads it",
       "A_n less its last", rows(lowest_dropped), everywhere, full},
      {"cache_w-1", selection, top_k, "the cache has a place less", "top-(w-1)", rows(one_place_less), everywhere, full},
      {"cache_tie_later", selection, top_k, "of equal scores the later token stays", "m_i = m_j, i < j: j stays",
       rows(later_of_ties), everywhere, full},
      {"cache_lowest", selection, top_k, "the lowest scores are kept", "bottom-w", rows(lowest_kept), everywhere, full},
      {"cache_first", selection, top_k, "nothing is evicted: what came first stays", "A_n = {0 .. w-1}",
       rows(first_kept), everywhere, full},
      {"cache_last", selection, top_k, "what came last is kept, whatever its score", "A_n = {nC-w .. nC-1}",
       rows(last_kept), everywhere, full},
      {"cache_not_merged", selection, top_k, "the cache is chosen of the block before alone",
       "A_n = top-w of block n - 1", rows(block_alone), everywhere, kept},
      {"cache_one_a_block", selection, top_k, "only the best token of each block enters", "A_n u {argmax of block n}",
       rows(one_of_each_block), everywhere, kept | Needs::long_block},
      {"cache_head_0", selection, BugClass::layout, "all heads keep what the first head keeps", "A_n of head 0",
       rows(of_first_head), everywhere, full | Needs::two_heads},
      {"cache_not_reset", selection, BugClass::sequences, "the cache of a packed sequence stays for the next one",
       "A_0 = A_NB of the sequence before", rows(not_reset), everywhere, some | Needs::two_sequences},
  };
}

}  // namespace deltaproof
