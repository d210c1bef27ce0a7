// Rows that belong to no sequence, rows of skipped sequences and unlisted states may hold anything.
#include <fmt/format.h>

#include <limits>

#include "properties/laws/parts.hpp"
#include "properties/laws/pools.hpp"
#include "properties/laws/table.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof::laws {
namespace {

constexpr std::int64_t rows_behind = 5;

std::string why_not(const Trial&) { return {}; }

Tensor more_rows(const Tensor& tokens) {
  std::vector<std::int64_t> shape = tokens.shape;
  shape[1] = rows_behind;
  return filled({tokens.dtype, shape, {}}, 0);
}

// Which of the T rows of a packed problem are computed.
std::vector<bool> computed_rows(const Problem& problem) {
  std::vector<bool> computed(static_cast<std::size_t>(problem.dims().T));
  for (const Sequence& s : problem.sequences()) {
    for (std::int64_t t = 0; t < s.length && s.state_row >= 0; ++t) {
      computed[static_cast<std::size_t>(s.begin + t)] = true;
    }
  }
  return computed;
}

void fill_rows(Tensor& tensor, const std::vector<bool>& keep, double value) {
  const std::int64_t row = tensor.size() / static_cast<std::int64_t>(keep.size());
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    if (!keep[static_cast<std::size_t>(i / row)]) set_value(tensor, i, value);
  }
}

// Packed, with rows behind the last sequence; a pool gets a row of nobody's.
TensorMap with_padding(const Problem& problem) {
  TensorMap inputs = packed(problem);
  for (auto& [name, tensor] : inputs) {
    if (has_token_rows(name)) tensor = joined(tensor, more_rows(tensor), 1);
  }
  if (inputs.contains("state_indices")) {
    inputs = with_pool_row(std::move(inputs), filled(taken(inputs.at("initial_state"), 0, {0}), 0));
  }
  return inputs;
}

Problem padded_with(const Problem& problem, double value) {
  TensorMap inputs = problem.tensors();
  const std::vector<bool> rows = computed_rows(problem);
  std::vector<bool> states(static_cast<std::size_t>(problem.dims().pool));
  for (const Sequence& s : problem.sequences()) {
    if (s.state_row >= 0) states[static_cast<std::size_t>(s.state_row)] = true;
  }
  for (auto& [name, tensor] : inputs) {
    if (has_token_rows(name)) fill_rows(tensor, rows, value);
    if (name == "initial_state") fill_rows(tensor, states, value);
  }
  return problem.with_inputs(std::move(inputs));
}

void check(const Trial& trial, Verdict& verdict) {
  const Problem problem = trial.problem.with_inputs(with_padding(trial.problem));
  Outputs expected = packed(trial.kernel.run(trial.problem));
  for (auto& [name, tensor] : expected.tensors) {
    if (has_token_rows(name)) tensor = joined(tensor, more_rows(tensor), 1);
  }
  Tensor& states = expected.tensors.at("final_state");
  if (problem.dims().pool > trial.problem.dims().pool) states = joined(states, taken(states, 0, {0}), 0);
  for (const double value : {0.0, std::numeric_limits<double>::quiet_NaN(), 1e30}) {
    const Problem second = padded_with(problem, value);
    const std::optional<Outputs> got = second_run(trial, second, verdict);
    if (!got) return;
    expect_bits(second, expected, *got, fmt::format("padding filled with {} changes a value", value), verdict,
                answered(second));
  }
}

}  // namespace

const Property padding{"padding", "what padding holds (0, NaN, 1e30) does not change a value", &why_not, &check};

}  // namespace deltaproof::laws
