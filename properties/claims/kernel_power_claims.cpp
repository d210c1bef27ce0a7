// What published tolerance rules say of known defects.
#include <fmt/format.h>

#include <algorithm>

#include "properties/claims/kernel_claims.hpp"
#include "properties/claims/rule_names.hpp"
#include "properties/claims/run_rules.hpp"
#include "properties/defects/catalogue.hpp"
#include "properties/defects/defect_kernel.hpp"

namespace deltaproof::claims {
namespace {

std::vector<Drawn> drawn(std::uint64_t seed) {
  std::vector<Drawn> all;
  for (const char* family : {"typical", "recorded"}) {
    for (const Dtype input : {Dtype::bf16, Dtype::f32}) {
      ProblemSpec spec = row_of(39, family, seed);
      spec.shape.HV = 2, spec.shape.input = input;
      all.emplace_back(spec);
    }
  }
  return all;
}

/// A run of a defect that a rule accepts wherever it was tried.
struct Accepted {
  const Defect* defect = nullptr;
  std::size_t problem = 0;
  double error = -1;
};

/// Whether the rule rejects each defect on some problem on which it changes a bit.
class Power {
 public:
  Power(const RunRule& rule, std::uint64_t seed) : rule_(rule), problems_(drawn(seed)) {
    const DefectKernel right(nullptr, judged_order);
    for (const Drawn& each : problems_) {
      undamaged_.push_back(right.run(each.problem));
      says_something_.push_back(rule_({each, right, undamaged_.back(), undamaged_.back()}));
    }
    for (const Defect& defect : defect_catalogue()) put(defect);
  }

  Result result() const {
    Result result;
    result.cases = runs_;
    if (tried_ == 0) {
      result.finding = "it rejects the kernel without a defect on every problem tried, and so says nothing of defects";
      return result;
    }
    result.outcome = accepted_ == 0 ? Outcome::holds : Outcome::refuted;
    const auto useful = std::count(says_something_.begin(), says_something_.end(), true);
    result.finding = fmt::format("{} of {} known defects that change a value are accepted wherever they were tried: on {} "
                                 "of {} problems, where the rule accepts the kernel without a defect",
                                 accepted_, tried_, useful, problems_.size());
    result.numbers = {{"defects accepted", fmt::format("{} of {}", accepted_, tried_)}};
    if (accepted_ > 0) result.counterexample = counterexample();
    return result;
  }

 private:
  void put(const Defect& defect) {
    const DefectKernel kernel(&defect, judged_order);
    bool changes = false, rejected = false;
    std::vector<Accepted> runs;
    for (std::size_t i = 0; i < problems_.size(); ++i) {
      if (!says_something_[i] || !kernel.refusal(problems_[i].problem).empty()) continue;
      const Outputs outputs = kernel.run(problems_[i].problem);
      if (same_bits(outputs, undamaged_[i])) continue;
      ++runs_;
      changes = true;
      rejected |= !rule_({problems_[i], kernel, outputs, undamaged_[i]});
      runs.push_back({&defect, i, relative_error(problems_[i], outputs)});
    }
    tried_ += changes ? 1 : 0;
    if (!changes || rejected) return;
    ++accepted_;
    accepted_runs_.insert(accepted_runs_.end(), runs.begin(), runs.end());
  }

  // The most wrong run of those outside the proven bound; of all, if none is.
  Counterexample counterexample() const {
    std::vector<Accepted> all = accepted_runs_;
    std::stable_sort(all.begin(), all.end(), [](const Accepted& a, const Accepted& b) { return a.error > b.error; });
    for (const Accepted& each : all) {
      if (const std::int64_t outside = values_outside(each)) return shown(each, outside);
    }
    return shown(all.front(), 0);
  }

  std::int64_t values_outside(const Accepted& run) const {
    const Drawn& on = problems_[run.problem];
    const DefectKernel kernel(run.defect, judged_order);
    const Outputs outputs = kernel.run(on.problem);
    return outside_bound({on, kernel, outputs, undamaged_[run.problem]});
  }

  Counterexample shown(const Accepted& run, std::int64_t outside) const {
    const Drawn& on = problems_[run.problem];
    const std::string bound = outside > 0 ? fmt::format("{} of its values lie outside the proven bound", outside)
                                          : "no value of any accepted run lies outside the proven bound";
    return {{{"defect", fmt::format("{}: {}", run.defect->id, run.defect->sentence)}, {"problem", to_text(on.spec)}},
            fmt::format("the rule accepts a run whose o has a relative rms error of {:.2g} (without the defect {:.2g}); {}",
                        run.error, relative_error(on, undamaged_[run.problem]), bound)};
  }

  RunRule rule_;
  std::vector<Drawn> problems_;
  std::vector<Outputs> undamaged_;
  std::vector<bool> says_something_;  // a rule that rejects the kernel without a defect says nothing by rejecting one with
  std::int64_t runs_ = 0;
  int tried_ = 0, accepted_ = 0;
  std::vector<Accepted> accepted_runs_;  // of accepted defects, on every problem
};

Check power_check(const RunRule& rule) {
  return [rule](const Effort& effort) { return Power(rule, effort.seed).result(); };
}

Claim power_claim(const PublishedRuleInfo& info) {
  return {"kernels.sees_" + id_of(info.rule), source_of(info),
          fmt::format("The rule notices every known defect that changes a value. ({})",
                      in_words(info)),
          "of the emulation; the reference is the right answer in double, the rule's best case",
          "every defect of the catalogue that has a place in the chunk kernel, emulated, on four problems (typical and "
          "recorded inputs, bf16 and fp32), less those where the rule rejects the kernel without a defect; it is seen if it is "
          "rejected on one of them. The counterexample is, of the runs that are accepted and have values outside the proven "
          "bound, the most wrong one",
          power_check(published_on_runs(info.rule)),
          {{"a comparison of every bit with the undamaged kernel does", Outcome::holds, power_check(same_as_undamaged)},
           {"a rule that accepts everything does", Outcome::refuted, power_check(anything_passes)}}};
}

}  // namespace

std::vector<Claim> kernel_power_claims() {
  std::vector<Claim> all;
  for (const PublishedRuleInfo& info : published_rules()) all.push_back(power_claim(info));
  return all;
}

}  // namespace deltaproof::claims
