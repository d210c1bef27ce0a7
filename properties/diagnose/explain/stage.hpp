#pragma once

#include <string>
#include <vector>

#include "properties/diagnose/explain/judged_run.hpp"

namespace deltaproof {

/// A term of the right values that the errors are multiples of.
struct WrongPart {
  std::string name;   ///< "its decay"
  std::string stage;
  bool of_state = false;  ///< of the state after a chunk; else of `o` of the first wrong token of a chunk
  std::int64_t chunks = 0, of = 0;  ///< in so many of the failing chunks that were looked at
  double low = 0, high = 0;         ///< error / part: 1 is once too much, -1 is missing
};

/// At which step of the computation a run goes wrong, and what shows it.
struct StageFinding {
  FailureStage coarse = FailureStage::none;
  /// "read", "cache read", "carry", "decay", "solve", "values", "selection"; "" if it cannot be told.
  std::string stage;
  std::vector<std::string> candidates;  ///< where it cannot be told: the stages that are left
  std::vector<std::string> because;  ///< sentences
  std::vector<WrongPart> parts;      ///< that hold in nearly all failing chunks
  std::string would_tell;            ///< what would tell more, if it cannot be told
};

/// From the pattern of the first failing chunks, and from which terms the errors are multiples of (error_part.hpp).
StageFinding stage_of(const JudgedRun& run, const RunMap& map);

/// Rule hola: how `o` is wrong where the states are right. Adds to the finding; false if it says nothing.
bool add_cache_evidence(const JudgedRun& run, const RunMap& map, StageFinding& finding);

}  // namespace deltaproof
