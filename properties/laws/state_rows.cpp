// Which rows of the pool the sequences have is the server's business alone.
#include <algorithm>

#include "properties/laws/draws.hpp"
#include "properties/laws/second_run.hpp"
#include "properties/laws/table.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial& trial) {
  if (trial.problem.find("state_indices") == nullptr) return "there is no pool of states";
  return trial.problem.dims().pool == 1 ? "the pool has one row" : "";
}

// Row i of the new pool is row order[i] of the old one.
TensorMap with_pool_rows(const Problem& problem, const Indices& order) {
  TensorMap inputs = problem.tensors();
  Tensor& pool = inputs.at("initial_state");
  Tensor& rows = inputs.at("state_indices");
  pool = taken(pool, 0, order);
  std::vector<double> now;
  for (std::int64_t n = 0; n < rows.size(); ++n) {
    const auto at = std::find(order.begin(), order.end(), rows.integer(n));
    now.push_back(at == order.end() ? -1 : static_cast<double>(at - order.begin()));
  }
  rows = Tensor::from(rows.dtype, rows.shape, now);
  return inputs;
}

void check(const Trial& trial, Verdict& verdict) {
  const Problem& problem = trial.problem;
  Generator draw(trial.seed, {0x726f7773});
  const Indices order = shuffled(problem.dims().pool, draw);
  const Problem second = problem.with_inputs(with_pool_rows(problem, order));
  Outputs expected = trial.kernel.run(problem);
  const std::optional<Outputs> got = second_run(trial, second, verdict);
  if (!got) return;
  Tensor& states = expected.tensors.at("final_state");
  states = taken(states, 0, order);
  expect_bits(second, expected, *got, "with the rows of the pool in another order there are other bits", verdict,
              answered(second));
}

}  // namespace

const Property state_rows{"state_rows", "states in other rows of a pool give the same bits", &why_not, &check};

}  // namespace deltaproof::laws
