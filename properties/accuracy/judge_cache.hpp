#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "properties/accuracy/head_scores.hpp"
#include "properties/selection/judge_selection.hpp"

namespace deltaproof {

/// What was found of the cache's scores and sets in a run of rule `hola`: everything but the reads.
struct CacheFindings {
  std::map<std::pair<std::int64_t, std::int64_t>, SelectionJudgement> heads;  ///< by sequence and head
  std::string failure;          ///< the first thing that no right kernel does; empty: none
  Location where;               ///< of it
  std::string uninformative;    ///< what of it could not be judged; empty: nothing
  bool unknown_sets = false;    ///< of some head: which sets were read
  std::int64_t scores = 0, outside = 0, sets = 0, ambiguous = 0, legitimate_differences = 0;
  double worst_ratio = 0;       ///< of a score's error to what is allowed
  Location worst;               ///< of that score, if it is above 0
  double value = 0, expected = 0, bound = 0;  ///< there
};

/// Judges the exported scores and sets of every head (docs/selection.md). Exported sets must be, to the bit, the top-w of
/// exported scores; without scores they must be possible for some scores that a right kernel can have. Without sets
/// those of the right scores are taken, if no other are possible.
CacheFindings judge_cache(const Problem& problem, const Outputs& outputs, const ScoresOfHeads& scores);

/// Writes them into a verdict, which they can only make worse.
void report_cache(const CacheFindings& findings, Verdict& verdict);

}  // namespace deltaproof
