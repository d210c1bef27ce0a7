#include "properties/laws/pools.hpp"

#include <utility>

#include "properties/laws/tensors.hpp"

namespace deltaproof::laws {

TensorMap in_a_pool(const Problem& problem) {
  TensorMap inputs = problem.tensors();
  if (inputs.contains("state_indices")) return inputs;
  const std::int64_t N = problem.dims().N;
  inputs["initial_state"] = states_before(problem);
  std::vector<double> rows;
  for (std::int64_t n = 0; n < N; ++n) rows.push_back(static_cast<double>(n));
  inputs["state_indices"] = Tensor::from(Dtype::i32, {N}, rows);
  return inputs;
}

TensorMap with_pool_row(TensorMap inputs, const Tensor& row) {
  Tensor& pool = inputs.at("initial_state");
  pool = joined(pool, row, 0);
  return inputs;
}

}  // namespace deltaproof::laws
