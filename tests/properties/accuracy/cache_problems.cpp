#include "cache_problems.hpp"

#include <vector>

#include "properties/accuracy/emulated_outputs.hpp"
#include "properties/runs/problem_spec.hpp"

namespace deltaproof {
namespace {

std::int64_t row_begin(const Problem& problem, std::int64_t block, std::int64_t head) {
  const Dimensions& d = problem.dims();
  return (block * d.HV + head) * d.cache;
}

}  // namespace

Problem cache_problem(const std::string& regime, std::uint64_t seed, Metadata more, Dtype input) {
  ProblemSpec spec;
  spec.regime = regime;
  spec.seed = seed;
  spec.shape.tokens = 72;
  spec.shape.K = 16, spec.shape.V = 16;
  spec.shape.input = input;
  spec.shape.H = 1, spec.shape.HV = 2;
  spec.options = {{"rule", "hola"},         {"chunk_size", "16"},  {"qk_l2norm", "kernel"}, {"cache_size", "6"},
                  {"cache_block", "20"}, {"arithmetic", "deltaproof-chunk"}};
  for (const auto& [key, value] : more) spec.options[key] = value;
  return problem_of(spec);
}

Outputs cache_outputs(const Problem& problem) { return emulated_outputs(problem, true); }

void set_value(Tensor& tensor, std::int64_t flat, double value) {
  std::vector<double> values = tensor.values();
  values[static_cast<std::size_t>(flat)] = value;
  tensor = Tensor::from(tensor.dtype, tensor.shape, values);
}

std::vector<std::int64_t> selected_row(const Outputs& outputs, const Problem& problem, std::int64_t block,
                                       std::int64_t head) {
  std::vector<std::int64_t> row;
  const Tensor& selected = *outputs.find("selected");
  for (std::int64_t i = 0; i < problem.dims().cache; ++i)
    row.push_back(selected.integer(row_begin(problem, block, head) + i));
  return row;
}

void set_selected_row(Outputs& outputs, const Problem& problem, std::int64_t block, std::int64_t head,
                      const std::vector<std::int64_t>& row) {
  Tensor& selected = outputs.tensors.at("selected");
  std::vector<double> all;
  for (std::int64_t i = 0; i < selected.size(); ++i) all.push_back(static_cast<double>(selected.integer(i)));
  for (std::size_t i = 0; i < row.size(); ++i)
    all[static_cast<std::size_t>(row_begin(problem, block, head)) + i] = static_cast<double>(row[i]);
  selected = Tensor::from(selected.dtype, selected.shape, all);
}

}  // namespace deltaproof
