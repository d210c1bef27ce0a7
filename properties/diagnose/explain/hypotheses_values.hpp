#pragma once

#include <optional>
#include <vector>

#include "properties/diagnose/measured.hpp"
#include "reference/arithmetic/emulate.hpp"

namespace deltaproof {

/// Rows of a block that hypotheses are held against.
struct BlockPart {
  const MeasuredBlock* block = nullptr;
  Index row = 0, rows = 0;
  double slack = 0;  ///< how far a stand-in without a defect is from the right answer there
};

/// Chunks of one head of one sequence, and what was compared in them. `sequence` null: rows of the pool of states that no
/// sequence has, of one head.
struct Window {
  const Sequence* sequence = nullptr;
  std::int64_t head = 0;
  Index first = 0, end = 0;  ///< chunks
  std::vector<BlockPart> parts;
};

/// All that was compared, in windows of whole heads. The blocks must outlive them.
std::vector<Window> whole_windows(const Problem& problem, const std::vector<MeasuredBlock>& blocks);
/// What of a window lies in chunks [first, end).
Window narrowed(const Window& window, Index first, Index end, Index chunk_size);

/// Blocks of what was not compared with the right answer, but is known to the bit: rows of the pool that no sequence has,
/// a cache's sets and scores. What is allowed: of states what is allowed of the head's others, of sets nothing; of scores
/// it is not known.
std::vector<MeasuredBlock> blocks_of_the_rest(const Problem& problem, const Outputs& outputs,
                                              const std::vector<MeasuredBlock>& measured);

/// Sets or scores of a cache, whose rows are no tokens of a chunk.
bool is_of_cache(const ComparedBlock& place);

/// What a hypothesis gives for a part of a window: from the run of the window's head ..
std::optional<Matrix> values_of(const Emulation& run, const Problem& problem, const Outputs& recorded,
                                const Window& window, const BlockPart& part);
/// .. or from outputs of the whole run. Nothing: it has no such value.
std::optional<Matrix> values_of(const Outputs& outputs, const Problem& problem, const Outputs& recorded,
                                const Window& window, const BlockPart& part);

}  // namespace deltaproof
