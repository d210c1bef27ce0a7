#include "properties/laws/full_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "properties/laws/applies.hpp"
#include "properties/laws/made.hpp"

namespace deltaproof::laws {
namespace {

bool has_zero_key(const Problem& problem) {
  const std::vector<double> k = problem.find("k")->values();
  const auto K = static_cast<std::size_t>(problem.dims().K);
  for (std::size_t row = 0; row < k.size(); row += K) {
    const auto first = k.begin() + static_cast<std::ptrdiff_t>(row);
    if (std::all_of(first, first + static_cast<std::ptrdiff_t>(K), [](double x) { return x == 0; })) return true;
  }
  return false;
}

}  // namespace

std::string no_full_step(const Trial& trial) {
  const RuleInfo& rule = rule_info(trial.problem.options().rule);
  if (std::string why = without_residual(trial.problem); !why.empty()) return why;
  if (rule.decay == Decay::per_channel) {
    return fmt::format("{} decays per channel, and no rule that divides by |k|^2 does", rule.name);
  }
  if (has_zero_key(trial.problem)) return "a key is zero: the projection onto S^T k = v is undefined";
  return trial.kernel.refusal(with_full_steps(trial.problem, 1));
}

bool has_full_step(const Write& write) { return write.key_square > 0x1p-100 && is_in_fp32(write); }

Problem with_full_steps(const Problem& problem, double eta) {
  Made made(problem);
  made.set_rule(Rule::kla);
  made.options.eps = 0;
  const Dimensions& d = problem.dims();
  made.inputs["eta"] = Tensor::from(Dtype::f32, {d.B, d.T, d.HV},
                                    std::vector<double>(static_cast<std::size_t>(d.B * d.T * d.HV), eta));
  return made.problem();
}

}  // namespace deltaproof::laws
