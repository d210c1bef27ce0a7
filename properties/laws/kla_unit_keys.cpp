// With keys of length exactly 1, KLA is Gated DeltaNet with beta = eta / (1 + eps): DeltaNet if it has no gates. eps
// is 0, 1 or 3, so that beta is a number of eta's type too, and the two right answers are one (0 where a subnormal
// eta would be rounded). Keys have 4^m entries of +-2^-m: their squares add up to 1 without rounding.
#include "properties/laws/applies.hpp"
#include "properties/laws/bounded.hpp"
#include "properties/laws/made.hpp"
#include "properties/laws/table.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial& trial) {
  const Options& options = trial.problem.options();
  if (options.rule != Rule::kla) return "it is a law of kla";
  if (options.variant != KlaVariant::standard) return "it is a law of the standard variant of kla";
  return not_to_be_cut(trial.problem);
}

void set_unit_keys(Made& made, Generator& draw) {
  const Tensor& k = made.inputs.at("k");
  const std::int64_t K = made.of.dims().K;
  std::vector<double> values;
  for (std::int64_t row = 0; row < k.size() / K; ++row) {
    const std::vector<double> key = unit_row(K, 2, draw);
    values.insert(values.end(), key.begin(), key.end());
  }
  made.inputs["k"] = Tensor::from(k.dtype, k.shape, values);
  const L2Norm norm = made.options.qk_l2norm;
  made.options.qk_l2norm = norm == L2Norm::both || norm == L2Norm::q ? L2Norm::q : L2Norm::none;
}

Tensor divided(const Tensor& eta, double by) {
  std::vector<double> values = eta.values();
  for (double& x : values) x /= by;
  return Tensor::from(eta.dtype, eta.shape, values);
}

// Among 0, 1 and 3.
double drawn_eps(const Tensor& eta, Generator& draw) {
  constexpr double stabilisers[] = {0, 1, 3};
  const double eps = stabilisers[draw.integer(0, 2)];
  const Tensor beta = divided(eta, 1 + eps);
  for (std::int64_t i = 0; i < eta.size(); ++i) {
    if (beta.value(i) * (1 + eps) != eta.value(i)) return 0;
  }
  return eps;
}

void check(const Trial& trial, Verdict& verdict) {
  Generator draw = draws_of(trial, "kla_unit_keys");
  Made made(trial.problem);
  set_unit_keys(made, draw);
  made.options.eps = drawn_eps(made.inputs.at("eta"), draw);
  const Problem kla = made.problem();
  made.set_rule(trial.problem.find("g") == nullptr ? Rule::delta : Rule::gated_delta);
  made.inputs["beta"] = divided(made.inputs.at("beta"), 1 + made.options.eps);
  const Problem gdn = made.problem();
  if (std::string why = trial.kernel.refusal(gdn); !why.empty()) {
    verdict.status = Status::skipped;
    verdict.reason = std::move(why);
    return;
  }
  const Outputs of_kla = trial.kernel.run(kla), of_gdn = trial.kernel.run(gdn);
  Bounded bounded(verdict);
  bounded.about("kla with unit keys against the gated delta rule");
  bounded.outputs(
      kla, of_gdn,
      sum_of(bound_in_range(kla, trial.kernel, of_kla).bound, bound_in_range(gdn, trial.kernel, of_gdn).bound),
      of_kla);
  bounded.conclude();
}

}  // namespace

const Property kla_unit_keys{
    "kla_unit_keys",
    "kla with keys of length 1 is the (gated) delta rule with beta = eta / (1 + eps), within "
    "both bounds",
    &why_not, &check};

}  // namespace deltaproof::laws
