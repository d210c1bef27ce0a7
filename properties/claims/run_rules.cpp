#include "properties/claims/run_rules.hpp"

#include "properties/defects/catalogue.hpp"
#include "properties/runs/check_run.hpp"

namespace deltaproof::claims {

RunRule published_on_runs(PublishedRule rule) {
  return [rule](const Ran& ran) {
    return accept_both([rule](const JudgedValues& values) { return accepts(rule, values); }, ran.on, ran.outputs);
  };
}
bool same_as_undamaged(const Ran& ran) { return same_bits(ran.outputs, ran.undamaged); }
bool anything_passes(const Ran&) { return true; }
bool rounded_answer(const Ran& ran) {
  const auto nearest = [](const JudgedValues& values) {
    const std::vector<double> rounded =
        Tensor::from(values.input, {static_cast<std::int64_t>(values.reference.size())}, values.reference).values();
    return rounded == values.run;
  };
  return accept_both(nearest, ran.on, ran.outputs);
}

std::int64_t outside_bound(const Ran& ran) {
  RunChecks checks;
  checks.accuracy.threads = 1;
  checks.accuracy.name_fits = false;
  return check_run(ran.on.problem, ran.kernel, checks).front().violations;
}
bool within_bound(const Ran& ran) { return outside_bound(ran) == 0; }

double relative_error(const Drawn& on, const Outputs& outputs) {
  return published_error(outputs.tensors.at("o").values(), on.o.reference).relative_rms;
}

}  // namespace deltaproof::claims
