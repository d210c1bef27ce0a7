#include "properties/defects/fault_places.hpp"

#include <algorithm>
#include <iterator>

namespace deltaproof::faults {

std::int64_t any_of(Generator& draw, std::int64_t count) {
  return count <= 0 ? 0 : draw.integer(0, static_cast<int>(count) - 1);
}

DrawnChunk draw_chunk(const Problem& problem, Generator& draw, Index tokens) {
  std::vector<Sequence> sequences;
  for (const Sequence& s : problem.sequences()) {
    if (s.state_row >= 0 && s.length > 0) sequences.push_back(s);
  }
  if (sequences.empty()) return {};
  const Index size = problem.options().chunk_size;
  while (true) {
    const Sequence& s = sequences[static_cast<std::size_t>(any_of(draw, std::ssize(sequences)))];
    DrawnChunk drawn;
    drawn.sequence = s.index;
    drawn.head = any_of(draw, problem.dims().HV);
    drawn.chunk = any_of(draw, s.length) / size;
    drawn.tokens = std::min<Index>(size, s.length - drawn.chunk * size);
    if (drawn.tokens >= tokens || s.length < tokens || size < tokens) return drawn;
  }
}

std::pair<Index, Index> draw_pair(Generator& draw, Index count) {
  Index i = 0, j = 0;
  while (i == j && count > 1) {
    i = any_of(draw, count);
    j = any_of(draw, count);
  }
  return {std::max(i, j), std::min(i, j)};
}

Fault placed(const DrawnChunk& place, Fault fault) {
  fault.sequence = place.sequence;
  fault.head = place.head;
  fault.chunk = place.chunk;
  return fault;
}

}  // namespace deltaproof::faults
