// What published tolerance rules say of kernels with no defect.
#include <fmt/format.h>

#include "properties/claims/kernel_claims.hpp"
#include "properties/claims/rule_names.hpp"
#include "properties/claims/run_rules.hpp"
#include "properties/defects/defect_kernel.hpp"

namespace deltaproof::claims {
namespace {

// Four of each family of inputs and length, the shortest first.
std::vector<ProblemSpec> fair_problems(std::uint64_t seed) {
  std::vector<ProblemSpec> all;
  for (const std::int64_t tokens : {1, 4, 39}) {
    for (const Regime& regime : regimes()) {
      for (std::uint64_t draw = 0; draw < 4; ++draw) {
        all.push_back(row_of(tokens, std::string(regime.name), seed));
        all.back().index = draw;
      }
    }
  }
  return all;
}

Check fairness_check(const RunRule& rule) {
  return [rule](const Effort& effort) {
    const DefectKernel kernel(nullptr, judged_order);
    Result result;
    int rejected = 0;
    for (const ProblemSpec& spec : fair_problems(effort.seed)) {
      const Drawn on(spec);
      const Outputs outputs = kernel.run(on.problem);
      ++result.cases;
      if (rule({on, kernel, outputs, outputs})) continue;
      rejected += 1;
      if (result.counterexample) continue;
      result.counterexample = {
          {{"problem", to_text(spec)}},
          fmt::format("the rule rejects the emulated kernel, whose o has a relative rms error of {:.2g} and {} values "
                      "outside the proven bound",
                      relative_error(on, outputs), outside_bound({on, kernel, outputs, outputs}))};
    }
    result.outcome = rejected == 0 ? Outcome::holds : Outcome::refuted;
    result.finding = fmt::format("{} of {} runs of a right kernel in bf16 are rejected", rejected, result.cases);
    result.numbers = {{"right runs rejected", fmt::format("{} of {}", rejected, result.cases)}};
    return result;
  };
}

Claim fairness_claim(const PublishedRuleInfo& info) {
  return {"kernels.accepts_" + id_of(info.rule), source_of(info),
          fmt::format("A run that the rule rejects is wrong: it accepts a right kernel whatever the inputs. ({})",
                      in_words(info)),
          "of the emulation of a right kernel; inputs in bf16; the reference is the right answer in double",
          "the chunk kernel emulated to the bit, without a defect, on four problems each of 1, 4 and 39 tokens of each family of "
          "inputs",
          fairness_check(published_on_runs(info.rule)),
          {{"the proven bound does", Outcome::holds, fairness_check(within_bound)},
           {"a comparison with the right answer rounded once does", Outcome::refuted, fairness_check(rounded_answer)}}};
}

}  // namespace

std::vector<Claim> kernel_fairness_claims() {
  std::vector<Claim> all;
  for (const PublishedRuleInfo& info : published_rules()) all.push_back(fairness_claim(info));
  return all;
}

}  // namespace deltaproof::claims
