#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "kernels/built_in/cache_stages.hpp"
#include "reference/problem/case_file.hpp"
#include "reference/verdict.hpp"

namespace deltaproof {

/// What one of the kernels around HOLA's cache is given when it is called alone.
struct StageProblem {
  std::string name;
  std::variant<ScoresInput, SelectInput, ReadInput> input;

  std::string_view stage() const;  ///< "scores", "select", "cache_read"
  const StageShape& shape() const;
  std::int64_t block() const;  ///< tokens of a block; 1 for `scores`, which knows none
};

/// Where a sequence lies among the B T rows of tokens and the rows of sets.
struct StageSequence {
  std::int64_t index = 0, first = 0, length = 0, first_block = 0, blocks = 0;
};
std::vector<StageSequence> sequences_of(const StageProblem& problem);

/// What the stage gives: `scores`; `selected`; or `o`, `cache_o` and `key_factors`. Throws KernelError.
Outputs run_stage(const Device& device, const StageProblem& problem);

/// Place of element `flat` of an output. A set stands at the first token of the block that sees it.
Location place_in_stage(const StageProblem& problem, const std::string& tensor, std::int64_t flat);

}  // namespace deltaproof
