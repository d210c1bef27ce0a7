#pragma once

#include <utility>

#include "properties/defects/defect.hpp"

namespace deltaproof::faults {

/// A number from 0 to count - 1; 0 if there is none.
std::int64_t any_of(Generator& draw, std::int64_t count);

/// A head and a chunk of some sequence, and how many tokens the chunk has.
struct DrawnChunk {
  std::int64_t sequence = 0, head = 0;
  Index chunk = 0, tokens = 0;
};

/// Of chunks with at least `tokens` tokens, each as likely as it has tokens; if the sequence or a chunk has not so many,
/// any of its chunks. Of sequences that are computed and not empty, each as likely; if there is none, a chunk of no
/// tokens.
DrawnChunk draw_chunk(const Problem& problem, Generator& draw, Index tokens);

/// i > j of `count` tokens, each pair as likely as another; i = j = 0 if there is none.
std::pair<Index, Index> draw_pair(Generator& draw, Index count);

/// The fault in that chunk of that head of that sequence alone.
Fault placed(const DrawnChunk& place, Fault fault);

}  // namespace deltaproof::faults
