#pragma once

#include <vector>

#include "properties/diagnose/explain/judged_run.hpp"

namespace deltaproof {

/// A chunk of one head in which something is wrong, whatever came before it.
struct FailingChunk {
  std::int64_t sequence = 0, head = 0, chunk = 0;
  std::int64_t token = -1;                     ///< first of which `o` is wrong; -1: none
  const MeasuredBlock* o = nullptr;            ///< of the head; nullptr: was not compared
  const MeasuredBlock* state = nullptr;        ///< after the chunk; nullptr: was not compared
  bool state_is_bad = false;
};

/// Where each chunk was judged from the kernel's own state before it every failing chunk, else the first of each head: what
/// follows that one may follow from it. In the order of chunks, at most `most`.
std::vector<FailingChunk> failing_chunks(const JudgedRun& run, const RunMap& map, std::size_t most);

}  // namespace deltaproof
