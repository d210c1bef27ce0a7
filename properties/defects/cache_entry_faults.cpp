// Which entries a query reads.
#include <algorithm>

#include "properties/defects/cache_read_faults.hpp"

namespace deltaproof::faults {
namespace {

Index block_of(const HolaHead& head, Index t) { return t / head.inputs.options.hola.cache_block; }
Index first_of_block(const HolaHead& head, Index t) {
  return block_of(head, t) * head.inputs.options.hola.cache_block;
}

// The best w of the tokens before `end`.
std::vector<Index> best_before(const HolaHead& head, Index end) {
  std::vector<Ranked> ranked;
  for (Index j = 0; j < std::min(end, head.inputs.tokens); ++j) {
    ranked.push_back({head.scores[static_cast<std::size_t>(j)], j});
  }
  std::vector<Index> tokens;
  for (const Ranked& each : best_of(std::move(ranked), head.inputs.options.hola.cache_size)) {
    tokens.push_back(each.token);
  }
  return tokens;
}

// How many of a query's entries are of the cache.
Index of_cache(const HolaHead& head, Index t) {
  return std::ssize(head.rows[static_cast<std::size_t>(block_of(head, t))]);
}

template <class Cache>
HolaFault another_cache(Cache cache) {
  HolaFault fault;
  fault.entries = [cache](const HolaHead& head, Index t, std::vector<Index>& entries) {
    std::vector<Index> seen = cache(head, t);
    seen.insert(seen.end(), entries.begin() + of_cache(head, t), entries.end());
    entries = std::move(seen);
  };
  return fault;
}

}  // namespace

HolaFault reads_next_cache() {
  return another_cache([](const HolaHead& head, Index t) {
    return best_before(head, first_of_block(head, t) + head.inputs.options.hola.cache_block);
  });
}

HolaFault reads_cache_before() {
  return another_cache([](const HolaHead& head, Index t) {
    const Index n = block_of(head, t);
    return n == 0 ? std::vector<Index>() : head.rows[static_cast<std::size_t>(n - 1)];
  });
}

HolaFault reads_online_cache() {
  return another_cache([](const HolaHead& head, Index t) { return best_before(head, t + 1); });
}

HolaFault reads_up_to(Index behind) {
  HolaFault fault;
  fault.entries = [behind](const HolaHead& head, Index t, std::vector<Index>& entries) {
    if (behind < 0) {
      entries.pop_back();
    } else if (t + 1 < head.inputs.tokens && block_of(head, t + 1) == block_of(head, t)) {
      entries.push_back(t + 1);
    }
  };
  return fault;
}

HolaFault reads_whole_block() {
  HolaFault fault;
  fault.entries = [](const HolaHead& head, Index t, std::vector<Index>& entries) {
    const Index end = first_of_block(head, t) + head.inputs.options.hola.cache_block;
    for (Index j = t + 1; j < std::min(end, head.inputs.tokens); ++j) entries.push_back(j);
  };
  return fault;
}

HolaFault reads_cache_alone() {
  HolaFault fault;
  fault.entries = [](const HolaHead& head, Index t, std::vector<Index>& entries) {
    entries.resize(static_cast<std::size_t>(of_cache(head, t)));
  };
  return fault;
}

HolaFault reads_block_alone() {
  return another_cache([](const HolaHead&, Index) { return std::vector<Index>(); });
}

HolaFault loses_last_entry() {
  return another_cache([](const HolaHead& head, Index t) {
    std::vector<Index> row = head.rows[static_cast<std::size_t>(block_of(head, t))];
    if (!row.empty()) row.pop_back();
    return row;
  });
}

HolaFault reads_empty_places() {
  return another_cache([](const HolaHead& head, Index t) {
    std::vector<Index> row = head.rows[static_cast<std::size_t>(block_of(head, t))];
    row.resize(static_cast<std::size_t>(head.inputs.options.hola.cache_size), 0);
    return row;
  });
}

}  // namespace deltaproof::faults
