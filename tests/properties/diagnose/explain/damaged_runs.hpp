#pragma once

#include <functional>
#include <string>

#include "properties/defects/tensor_edit.hpp"
#include "properties/diagnose/explain/judged_run.hpp"
#include "properties/diagnose/explain/spread.hpp"
#include "reference/problem/case_file.hpp"

namespace deltaproof {

/// A recording of golden/recorded: "gdn_chunk_bf16_strong_decay" has two heads, two chunks of 64 tokens and one of 2, and its
/// states.
CaseFile recorded_case(const std::string& name);

/// Puts another value in the place of some of a tensor's: `edit(outer, head, row, column, value)`.
void damage(Outputs& outputs, const std::string& tensor,
            const std::function<void(std::int64_t, std::int64_t, std::int64_t, std::int64_t, double&)>& edit);

/// A case, judged by its bound alone.
struct ExaminedRun {
  explicit ExaminedRun(const CaseFile& file) : ExaminedRun(file.problem, *file.outputs) {}
  ExaminedRun(const Problem& problem, const Outputs& outputs)
      : run(problem, outputs, std::nullopt, {.conformity = false}), map(run.measured().blocks) {}

  ExaminedRun(const Problem& problem, Outputs&& outputs) = delete;  // they are kept by address

  JudgedRun run;
  RunMap map;
};

/// Of a tensor that was judged.
const TensorSpread& spread_in(const std::vector<TensorSpread>& spreads, const std::string& tensor);
std::string words_of(const TensorSpread& spread, const std::string& axis);
bool has_pattern(const TensorSpread& spread, const std::string& part);

}  // namespace deltaproof
