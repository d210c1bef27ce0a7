// 2048 tokens at g = -1e-4 and nothing written: S_T = e^{-0.2048} S_0, give or take the rounding of g to its type. A
// decay that is rounded to 16 bits is 1 and leaves S_0; one in fp32 loses at most what the bound of the run says,
// which must be less than the difference. Of the kernel alone: sizes are the law's own, one head of 8 x 8.
#include <cmath>

#include "kernels/bits.hpp"
#include "properties/laws/applies.hpp"
#include "properties/laws/made.hpp"
#include "properties/laws/one_step.hpp"
#include "properties/laws/table.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof::laws {
namespace {

constexpr std::int64_t T = 2048, width = 8;

Problem slow(const Trial& trial) {
  const Problem& of = trial.problem;
  Generator draw = draws_of(trial, "slow_decay");
  const Dtype input = of.find("q")->dtype;
  const auto drawn = [&](Dtype dtype, std::vector<std::int64_t> shape) {
    Tensor tensor = filled({dtype, std::move(shape), {}}, 0);
    for (std::int64_t i = 0; i < tensor.size(); ++i) set_value(tensor, i, draw.uniform(-1, 1));
    return tensor;
  };
  TensorMap inputs;
  for (const char* name : {"q", "k", "v"}) inputs[name] = drawn(input, {1, T, 1, width});
  inputs["initial_state"] = drawn(Dtype::f32, {1, 1, width, width});
  const Decay decay = rule_info(of.options().rule).decay;
  inputs["g"] = filled(
      {Dtype::f32,
       decay == Decay::per_channel ? std::vector<std::int64_t>{1, T, 1, width} : std::vector<std::int64_t>{1, T, 1},
       {}},
      -1e-4);
  const std::string write(rule_info(of.options().rule).write);
  if (!write.empty()) inputs[write] = filled({Dtype::f32, {1, T, 1}, {}}, 0);
  if (!rule_info(of.options().rule).residual) inputs["v"] = filled(inputs["v"], 0);
  return of.with_options(of.options(), std::move(inputs));
}

std::string why_not(const Trial& trial) {
  const Options& options = trial.problem.options();
  if (trial.problem.find("g") == nullptr) return "there is no gate";
  if (options.rule == Rule::kla && options.variant != KlaVariant::standard)
    return "it is one of the standard variant";
  if (std::string why = outside_update_family(trial.problem); !why.empty()) return why;
  return trial.kernel.refusal(slow(trial));
}

void check(const Trial& trial, Verdict& verdict) {
  using std::exp;
  const WorkingPrecision precision(step_bits);
  const Problem problem = slow(trial);
  const Outputs outputs = trial.kernel.run(problem);
  const Outputs bound = bound_in_range(problem, trial.kernel, outputs).bound;
  const Tensor &before = *problem.find("initial_state"), &after = outputs.tensors.at("final_state");
  const Mpfr decay = exp(Mpfr(Mpfr(problem.find("g")->value(0)) * Mpfr(static_cast<double>(T))));
  verdict.bound = "the bound of the run";
  Bounded bounded(verdict);
  bounded.about("a state that decays by 1e-4 a token, after 2048 of them");
  for (std::int64_t i = 0; i < after.size(); ++i) {
    const Mpfr start(before.value(i));
    compare(bounded, place_of(problem, "final_state", i), Mpfr(after.value(i)), decay * start,
            bound.tensors.at("final_state").value(i), start);
  }
  bounded.conclude();
}

}  // namespace

const Property slow_decay{
    "slow_decay",
    "2048 tokens at g = -1e-4 leave e^-0.2048 of the state, within a bound that the undecayed state "
    "breaks",
    &why_not, &check};

}  // namespace deltaproof::laws
