#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "properties/accuracy/accuracy.hpp"
#include "properties/accuracy/judge_unit.hpp"
#include "properties/accuracy/rows.hpp"

namespace deltaproof {

/// The right scores of one head of one sequence (rule `hola`), and how far a kernel's may be off. Of tokens that were
/// not judged nothing is known: score 0, radii infinite.
struct HeadScores {
  std::vector<double> exact;
  std::vector<double> reference_radius;  ///< |exact - the exact score|
  std::vector<double> kernel_radius;     ///< |a right kernel's - the exact score|
  Format ranked_in = formats::f32;       ///< of a right kernel's
};

/// By sequence and head.
using ScoresOfHeads = std::map<std::pair<std::int64_t, std::int64_t>, HeadScores>;

/// From the states that the units begin with. `context`: of the state's problem; `problem`: of rule `hola`.
ScoresOfHeads scores_of_heads(const JudgeContext& context, const Problem& problem, const std::vector<Unit>& units,
                              const AccuracyOptions& options, Rows rows);

}  // namespace deltaproof
