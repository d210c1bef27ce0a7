// KLA without eps writes e k^T / |k|^2: with k times 2^n and the state times 2^-n the residual v - S^T k is as it
// was, and the write times 2^-n. So are the final state and o. When that holds in bits, and what holds else:
// scaling.hpp. The problem's eps is taken for 0.
#include <fmt/format.h>

#include "properties/laws/scaling.hpp"
#include "properties/laws/table.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof::laws {
namespace {

bool has_zero_row(const Tensor& keys) {
  const std::int64_t K = keys.shape.back();
  for (std::int64_t row = 0; row < keys.size(); row += K) {
    bool zero = true;
    for (std::int64_t r = 0; r < K && zero; ++r) zero = keys.value(row + r) == 0;
    if (zero) return true;
  }
  return false;
}

std::string why_not(const Trial& trial) {
  const Options& options = trial.problem.options();
  if (options.rule != Rule::kla || options.variant != KlaVariant::standard) return "not KLA's own write coefficient";
  if (options.qk_l2norm == L2Norm::k || options.qk_l2norm == L2Norm::both) return "the kernel normalises k";
  return has_zero_row(*trial.problem.find("k")) ? "a key is zero: without eps it cannot be divided by" : "";
}

void check(const Trial& trial, Verdict& verdict) {
  const Problem& problem = trial.problem;
  Generator draw(trial.seed, {0x6b657973});
  const std::optional<int> n = exact_exponent(problem, {"k"}, {"initial_state"}, draw);
  if (!n) return;
  Options options = problem.options();
  options.eps = 0;
  TensorMap inputs = problem.tensors();
  const Problem first = problem.with_options(options, inputs);
  inputs.at("k") = scaled(inputs.at("k"), *n);
  if (const auto states = inputs.find("initial_state"); states != inputs.end()) {
    states->second = scaled(states->second, -*n);
  }
  expect_scaled(trial, first, problem.with_options(options, std::move(inputs)), {.o = -*n, .final_state = -*n},
                fmt::format("k times 2^{}, without eps", *n), verdict);
}

}  // namespace

const Property key_scaling{"key_scaling", "KLA without eps: k times 2^n gives o and the final state times 2^-n",
                           &why_not, &check};

}  // namespace deltaproof::laws
