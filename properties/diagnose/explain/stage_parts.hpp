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
  Index lone_write = -1;                ///< position of the only token whose write the states' errors are; -1: none
};

PartEvidence part_evidence(const JudgedRun& run, const std::vector<FailingChunk>& failing);

}  // namespace deltaproof
