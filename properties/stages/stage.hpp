#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "properties/stages/stage_problem.hpp"

namespace deltaproof {

/// A kernel around HOLA's cache that is called alone, and the problems that it is put to.
struct StageKernel {
  std::string_view name;      ///< "select"
  std::int64_t usual_cases;   ///< as many hold every kind of case
  /// Problem `index` of the plan of a seed. Kinds of cases take turns.
  StageProblem (*draw)(std::uint64_t seed, std::uint64_t index);
};

/// `scores`, `select`, `cache_read`.
std::span<const StageKernel> stages();
/// nullptr if the name is unknown.
const StageKernel* find_stage(std::string_view name);

/// 20 cases hold every score with every kind of values (random, zeros, squares that underflow, squares near the
/// largest number) and every write coefficient of a state beside a cache, keys handed in and normalised.
StageProblem scores_case(std::uint64_t seed, std::uint64_t index);
/// Seven kinds of scores and eight of sizes.
StageProblem select_case(std::uint64_t seed, std::uint64_t index);
/// Twelve kinds, each with both reads.
StageProblem read_case(std::uint64_t seed, std::uint64_t index);

}  // namespace deltaproof
