#pragma once

#include <vector>

#include "properties/diagnose/explain/error_part.hpp"
#include "properties/diagnose/explain/failing_chunk.hpp"
#include "properties/diagnose/explain/stage.hpp"

namespace deltaproof {

/// What the errors of failing chunks say together.
struct PartEvidence {
  std::vector<WrongPart> parts;         ///< that hold in nearly all of the chunks
  std::int64_t chunks = 0;              ///< that were looked at
  std::int64_t same = 0, not_same = 0;  ///< SameWrites of them
  std::int64_t same_state = 0, other_state = 0;  ///< SameState of them
  std::int64_t shown = 0;               ///< chunks of a right state in which a wrong write would have shown
  bool from_zero = false;               ///< the first token after a zero state is wrong
  Index lone_write = -1;                ///< position of the only token whose write the states' errors are; -1: none
};

PartEvidence part_evidence(const JudgedRun& run, const std::vector<FailingChunk>& failing);

}  // namespace deltaproof
