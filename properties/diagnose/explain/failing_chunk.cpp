#include "properties/diagnose/explain/failing_chunk.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace deltaproof {
namespace {

using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t>;  // sequence, head, chunk

bool row_is_bad(const MeasuredBlock& block, Index i) {
  for (Index j = 0; j < block.value.cols(); ++j) {
    if (block.ratio(i, j) > 1) return true;
  }
  return false;
}

}  // namespace

std::vector<FailingChunk> failing_chunks(const JudgedRun& run, const RunMap& map, std::size_t most) {
  std::map<Key, FailingChunk> chunks;
  const auto of = [&](const MeasuredBlock& block, std::int64_t chunk) -> FailingChunk& {
    FailingChunk& found = chunks[{block.place.sequence, block.place.head, chunk}];
    found.sequence = block.place.sequence, found.head = block.place.head, found.chunk = chunk;
    return found;
  };
  for (const MeasuredBlock& block : map.planes()) {
    const std::int64_t C = block.place.chunk_size;
    if (block.place.is_state) {
      if (block.place.first_token == 0) continue;
      FailingChunk& chunk = of(block, (block.place.first_token - 1) / C);
      const bool bad = block.is_bad();
      // chunk_states and final_state may both be there: the wrong one counts.
      if (chunk.state == nullptr || (bad && !chunk.state_is_bad)) chunk.state = &block;
      chunk.state_is_bad = chunk.state_is_bad || bad;
      continue;
    }
    if (block.place.tensor != "o") continue;
    for (Index i = 0; i < block.value.rows(); ++i) {
      FailingChunk& chunk = of(block, i / C);
      chunk.o = &block;
      if (chunk.token < 0 && row_is_bad(block, i)) chunk.token = i;
    }
  }
  std::vector<FailingChunk> failing;
  for (const auto& [key, chunk] : chunks) {
    if (chunk.token < 0 && !chunk.state_is_bad) continue;
    const bool follows = !run.teacher_forced() && !failing.empty() && failing.back().sequence == chunk.sequence &&
                         failing.back().head == chunk.head;
    if (!follows) failing.push_back(chunk);
  }
  std::stable_sort(failing.begin(), failing.end(),
                   [](const FailingChunk& x, const FailingChunk& y) { return x.chunk < y.chunk; });
  if (failing.size() > most) failing.resize(most);
  return failing;
}

}  // namespace deltaproof
