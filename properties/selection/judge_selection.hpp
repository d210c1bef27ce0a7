#pragma once

#include <string>
#include <string_view>

#include "properties/selection/exported.hpp"
#include "properties/selection/intervals.hpp"

namespace deltaproof {

/// What is known of the selection of one head of one sequence.
struct SelectionEvidence {
  Index w = 0, block = 1;                      ///< capacity and tokens of a block
  std::vector<double> exact;                   ///< right scores, each within
  std::vector<double> reference_radius;        ///< this of the exact one
  std::vector<double> kernel_radius;           ///< how far a kernel's may be from the exact one (score_bound)
  const std::vector<double>* scores = nullptr; ///< the kernel's, if exported
  /// Largest rounding of a score between what the kernel ranks by and what it exports; the format of the exported type.
  Format exported_in = formats::f32;
  Format ranked_in = formats::f32;             ///< what the kernel holds its scores in: an export in fewer bits leaves ties open
  const CacheSets* sets = nullptr;             ///< the kernel's, if exported: valid ones (exported_sets)
};

enum class SelectionStatus {
  passed,
  failed,
  uninformative,  ///< too many sets are legitimate, and none was exported
};

/// The verdict, and the sets to read with.
struct SelectionJudgement {
  SelectionStatus status = SelectionStatus::passed;
  std::optional<SelectionFault> fault;   ///< of a failure
  std::string why;                       ///< of `uninformative`
  Index scores_compared = 0, scores_outside = 0;
  double worst_score = 0;                ///< largest error of a score over what is allowed
  Index worst_token = -1;
  Index sets_compared = 0;
  Index ambiguous = 0;                   ///< tokens of some block that may be kept or not, block by block
  Index legitimate_differences = 0;      ///< tokens kept that the exact scores would have evicted, all within the intervals
  Index tied = 0;                        ///< of `ambiguous`, those whose exact scores equal that of another
  bool known = false;                    ///< `sets` are the kernel's own
  CacheSets sets;                        ///< to read with: the kernel's own, or those of the exact scores
  /// Where the kernel's are not known: all legitimate sets of each block (one, mostly); empty if `known` or uninformative.
  std::vector<std::vector<std::vector<Index>>> possible;
};

/// Largest number of legitimate sets of a block that are told apart, if none was exported.
inline constexpr Index few_sets = 16;

SelectionJudgement judge_selection(const SelectionEvidence& evidence, Index limit = few_sets);

}  // namespace deltaproof
