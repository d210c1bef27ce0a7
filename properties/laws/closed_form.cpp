// One key k of length exactly 1 at every token, b = 1, no decay: each write replaces what k reads,
//   S_t = S_0 + k (v_t - S_0^T k)^T,   o_t = v_t for q = k and scale 1,
// known without any reference. (I + L) of a chunk is then the matrix of ones on and below the diagonal, the worst for
// an inverse by powers of L: they reach C(30, 15) ~ 1.6e8 at C = 32, infinite in fp16, and the inverse is NaN.
#include <cmath>

#include "properties/laws/applies.hpp"
#include "properties/laws/bounded.hpp"
#include "properties/laws/made.hpp"
#include "properties/laws/pieces.hpp"
#include "properties/laws/table.hpp"
#include "properties/laws/tensors.hpp"
#include "reference/rules/scalar.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial& trial) {
  const Options& options = trial.problem.options();
  if (options.rule == Rule::longhorn_exact) return "longhorn never writes with b = 1";
  if (options.rule == Rule::kla && options.variant == KlaVariant::single_gate) return "with b = 1 it decays by 1e-6";
  return without_residual(trial.problem);
}

Problem equal_keys(const Problem& problem, const std::vector<double>& key) {
  Made made(problem);
  const Tensor& k = made.inputs.at("k");
  std::vector<double> rows;
  for (std::int64_t row = 0; row < k.size() / problem.dims().K; ++row)
    rows.insert(rows.end(), key.begin(), key.end());
  made.inputs["k"] = Tensor::from(k.dtype, k.shape, rows);
  made.inputs["q"] = Tensor::from(made.inputs["q"].dtype, k.shape, rows);
  made.fill_writes([] { return 1.0; });
  made.fill("g", 0);
  made.options.qk_l2norm = L2Norm::none;
  made.options.scale = 1;
  made.options.scale_given = true;
  made.options.eps = 0;  // kla: b = eta / |k|^2 = 1; learned_scalar too
  made.options.c = 1;
  return made.problem();
}

// S_0 + k (v - S_0^T k)^T of one state, exactly and then rounded to double.
void write_last(const Problem& problem, const Sequence& s, std::int64_t h, const std::vector<double>& key,
                std::vector<double>& states) {
  const Dimensions& d = problem.dims();
  const bool vk = problem.options().state_layout == StateLayout::vk;
  const std::int64_t last = s.batch * d.T + s.begin + s.length - 1, first = (s.state_row * d.HV + h) * d.K * d.V;
  const auto at = [&](std::int64_t i, std::int64_t c) -> double& {
    return states[static_cast<std::size_t>(first + (vk ? c * d.K + i : i * d.V + c))];
  };
  for (std::int64_t c = 0; c < d.V; ++c) {
    Mpfr e(problem.find("v")->value((last * d.HV + h) * d.V + c));
    for (std::int64_t i = 0; i < d.K; ++i) e -= Mpfr(key[static_cast<std::size_t>(i)]) * Mpfr(at(i, c));
    for (std::int64_t i = 0; i < d.K; ++i) {
      at(i, c) = to_double(Mpfr(Mpfr(at(i, c)) + Mpfr(key[static_cast<std::size_t>(i)]) * e));
    }
  }
}

// The right answer, and in `slack` what rounding it to double may be.
Outputs closed(const Problem& problem, const std::vector<double>& key, Outputs& slack) {
  const WorkingPrecision precision(256);
  const Tensor before = states_before(problem);
  std::vector<double> states = before.values();
  for (const Sequence& s : problem.sequences()) {
    for (std::int64_t h = 0; s.state_row >= 0 && s.length > 0 && h < problem.dims().HV; ++h) {
      write_last(problem, s, h, key, states);
    }
  }
  Outputs exact;
  exact.tensors["o"] = *problem.find("v");
  exact.tensors["final_state"] = Tensor::from(Dtype::f64, before.shape, states);
  for (double& x : states) x = std::abs(x) * 0x1p-53;
  slack.tensors["o"] = filled(exact.tensors["o"], 0);
  slack.tensors["final_state"] = Tensor::from(Dtype::f64, before.shape, states);
  return exact;
}

void check(const Trial& trial, Verdict& verdict) {
  Generator draw = draws_of(trial, "closed_form");
  const std::vector<double> key = unit_row(trial.problem.dims().K, 2, draw);
  const Problem problem = equal_keys(trial.problem, key);
  const Outputs outputs = trial.kernel.run(problem);
  verdict.bound = "the bound of the run";
  Bounded bounded(verdict);
  bounded.about("equal keys of length 1 and b = 1 against the closed form");
  Outputs slack;
  const Outputs exact = closed(problem, key, slack);
  bounded.outputs(problem, exact, sum_of(bound_in_range(problem, trial.kernel, outputs).bound, slack), outputs);
  bounded.conclude();
}

}  // namespace

const Property closed_form{"closed_form",
                           "equal keys of length 1, b = 1 and no decay read every value back and leave "
                           "S_0 + k (v_T - S_0^T k)^T, within the bound of the run",
                           &why_not, &check};

}  // namespace deltaproof::laws
