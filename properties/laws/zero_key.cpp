// A zero key writes nothing: S_t = D S_{t-1}, whatever v. Put to the kernel at a drawn token, from its own state: S_t
// is D S_{t-1} within the bound of the one token (of a decay; without decay S_{t-1} itself), and has the same values
// for v, for -v and for zeros, since 0 x = 0 for every finite x: no bound is left between those runs (but -0 and 0
// are one value).
#include <utility>

#include "properties/laws/applies.hpp"
#include "properties/laws/made.hpp"
#include "properties/laws/one_step.hpp"
#include "properties/laws/table.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial& trial) {
  const Options& options = trial.problem.options();
  const bool k_normalised = options.qk_l2norm == L2Norm::k || options.qk_l2norm == L2Norm::both;
  if (k_normalised && options.qk_l2norm_eps == 0) return "a zero key cannot be divided by its length";
  const bool divides = options.rule == Rule::kla && options.variant != KlaVariant::no_norm;
  if (divides && options.eps == 0) return "eta / (|k|^2 + eps) is undefined for a zero key with eps = 0";
  return not_to_be_cut(trial.problem);
}

Problem with_values(const Problem& problem, double factor) {
  TensorMap inputs = problem.tensors();
  std::vector<double> values = inputs["v"].values();
  for (double& x : values) x *= factor;
  inputs["v"] = Tensor::from(inputs["v"].dtype, inputs["v"].shape, values);
  return problem.with_inputs(std::move(inputs));
}

void check_write(const Write& write, Bounded& bounded) {
  for (Index i = 0; i < write.K; ++i) {
    for (Index c = 0; c < write.V; ++c) {
      const auto at = static_cast<std::size_t>(i * write.V + c);
      compare(bounded, write.at("final_state", c, i), write.after[at], write.step.decayed[at], write.bound[at],
              Mpfr(0));
    }
  }
}

void check(const Trial& trial, Verdict& verdict) {
  const WorkingPrecision precision(step_bits);
  Generator draw = draws_of(trial, "zero_key");
  verdict.bound = "the bound of the token's state; exact among values";
  Bounded bounded(verdict);
  const std::int64_t token = drawn_token(trial.problem, draw);
  if (const auto alone = one_token(trial.kernel, trial.problem, token, bounded)) {
    Made made(*alone);
    made.fill("k", 0);
    const Problem problem = made.problem();
    const Outputs outputs = trial.kernel.run(problem);
    bounded.about("the state after a zero key against the decayed state");
    bool in_fp32 = true;  // else a kernel multiplies its zero by infinity
    for_writes(trial.kernel, problem, outputs, token, [&](const Write& write) {
      in_fp32 = in_fp32 && is_in_fp32(write);
      if (is_in_fp32(write)) check_write(write, bounded);
    });
    const Outputs exactly = none_allowed(bound_in_range(problem, trial.kernel, outputs).bound);
    for (const double factor : {-1.0, 0.0}) {
      if (!in_fp32) break;
      bounded.about("a zero key writes nothing, whatever the value");
      bounded.outputs(problem, outputs, exactly, trial.kernel.run(with_values(problem, factor)),
                      [](const Location& where) { return where.tensor == "final_state"; });
    }
  }
  bounded.conclude();
}

}  // namespace

const Property zero_key{"zero_key",
                        "after a zero key the state is the decayed state within the bound of one token, and no value "
                        "changes it",
                        &why_not, &check};

}  // namespace deltaproof::laws
