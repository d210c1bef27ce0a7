#pragma once

#include "properties/stages/stage_head.hpp"
#include "reference/bounds/read_bound.hpp"

namespace deltaproof {

/// What `cache_read` is to give for one head of one sequence, and how far a right one may be off: tokens x V.
struct ReadAnswer {
  Matrix read, read_bound;    ///< before the gate
  Matrix share, share_bound;  ///< sigmoid(gate) read
};

ReadAnswer read_answer(const ReadInput& input, const StageSequence& sequence, std::int64_t head);

/// How the stage reads.
ReadFormats stage_read_formats(const ReadInput& input, const HeadInputs& head);

}  // namespace deltaproof
