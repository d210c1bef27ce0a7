#pragma once

#include <vector>

#include "properties/stages/stage_problem.hpp"
#include "reference/problem/head.hpp"
#include "reference/rules/cache_sets.hpp"

namespace deltaproof {

/// One value head of one sequence of a stage's problem, as rule `hola` has it. What the stage is not given is zero.
HeadInputs head_of(const ScoresInput& input, const StageSequence& sequence, std::int64_t head);
HeadInputs head_of(const ReadInput& input, const StageSequence& sequence, std::int64_t head);

/// b e, or e, as `scores` is given it: tokens x V.
Matrix written_of(const ScoresInput& input, const StageSequence& sequence, std::int64_t head);

/// Row of `selected` that belongs to a block and head: w places, in the kernel's order.
inline std::size_t set_place(const StageShape& d, const StageSequence& sequence, std::int64_t n, std::int64_t head,
                             std::int64_t w) {
  return static_cast<std::size_t>(((sequence.first_block + n) * d.HV + head) * w);
}

/// Tokens that the queries of a block are given, in the order of the row.
std::vector<Index> row_of(const ReadInput& input, const StageSequence& sequence, std::int64_t n, std::int64_t head);

}  // namespace deltaproof
