// o and the last state are linear in (v, S0) at fixed q, k, gates and coefficients. v and S0 are cut into the upper
// and the lower half of their significands, which add up to them exactly: what is not linear (a clamp, a norm of
// values, a flush of small ones) shows.
#include <cmath>
#include <limits>

#include "properties/laws/applies.hpp"
#include "properties/laws/bounded.hpp"
#include "properties/laws/table.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial& trial) { return outside_update_family(trial.problem); }

// Upper: truncated to half of the significant bits, so an element of the type. Lower: the rest, of the remaining
// bits.
Tensor half(const Tensor& tensor, bool upper) {
  const int kept = dtype_format(tensor.dtype).significant_bits / 2;
  std::vector<double> values = tensor.values();
  for (double& x : values) {
    int exponent = 0;
    const double significand = std::frexp(x, &exponent);
    const double high = std::ldexp(std::trunc(std::ldexp(significand, kept)), exponent - kept);
    // Rows that are not read may hold anything.
    if (std::isfinite(x)) x = upper ? high : x - high;
  }
  return Tensor::from(tensor.dtype, tensor.shape, values);
}

Problem half_of(const Problem& problem, bool upper) {
  TensorMap inputs = problem.tensors();
  for (const char* name : {"v", "initial_state"}) {
    if (const auto found = inputs.find(name); found != inputs.end()) found->second = half(found->second, upper);
  }
  return problem.with_inputs(std::move(inputs));
}

// The sum of two runs in f64, and in `slack` what rounding it there may be (of no number: nothing, which it breaks).
Outputs added(const Outputs& a, const Outputs& b, Outputs& slack) {
  Outputs sum;
  for (const char* name : {"o", "final_state"}) {
    const std::vector<double> y = b.tensors.at(name).values();
    std::vector<double> x = a.tensors.at(name).values(), lost(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] += y[i];
      lost[i] = std::isfinite(x[i]) ? std::abs(x[i]) * 0x1p-53 : 0;
    }
    const auto& shape = a.tensors.at(name).shape;
    sum.tensors[name] = Tensor::from(Dtype::f64, shape, x);
    slack.tensors[name] = Tensor::from(Dtype::f64, shape, lost);
  }
  return sum;
}

void check(const Trial& trial, Verdict& verdict) {
  const Problem upper = half_of(trial.problem, true), lower = half_of(trial.problem, false);
  const Outputs of_upper = trial.kernel.run(upper), of_lower = trial.kernel.run(lower);
  const Outputs whole = trial.kernel.run(trial.problem);
  Outputs slack;
  const Outputs sum = added(of_upper, of_lower, slack);
  const Outputs parts = sum_of(bound_in_range(upper, trial.kernel, of_upper).bound,
                               bound_in_range(lower, trial.kernel, of_lower).bound);
  Bounded bounded(verdict);
  bounded.about("runs on two parts of the values, added up, against the run on their sum");
  bounded.outputs(trial.problem, whole,
                  sum_of(sum_of(parts, slack), bound_in_range(trial.problem, trial.kernel, whole).bound), sum);
  bounded.conclude();
}

}  // namespace

const Property linear_in_values{"linear_in_values",
                                "runs on two parts of v and the initial state add up to the run on their sum within "
                                "the three bounds",
                                &why_not, &check};

}  // namespace deltaproof::laws
