#pragma once

#include <utility>

#include "properties/defects/defect.hpp"

namespace deltaproof::faults {

/// A number from 0 to count - 1.
std::int64_t any_of(Generator& draw, std::int64_t count);

/// A head and a chunk of some sequence, and how many tokens the chunk has.
struct DrawnChunk {
  std::int64_t head = 0;
  Index chunk = 0, tokens = 0;
};

/// Of chunks with at least `tokens` tokens, each as likely as it has tokens. If no sequence has so many, any chunk.
DrawnChunk draw_chunk(const Problem& problem, Generator& draw, Index tokens);

/// i > j of `count` tokens, at least two, each pair as likely as another.
std::pair<Index, Index> draw_pair(Generator& draw, Index count);

/// The fault in that chunk of that head alone.
Fault placed(const DrawnChunk& place, Fault fault);

}  // namespace deltaproof::faults
