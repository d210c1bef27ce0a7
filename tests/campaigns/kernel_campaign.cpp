#include "kernel_campaign.hpp"

#include <chrono>

#include <fmt/format.h>

#include "kernels/built_in/built_in_kernel.hpp"
#include "properties/runs/check_spec.hpp"
#include "properties/runs/kernel_case.hpp"
#include "properties/runs/solve_check.hpp"
#include "properties/stages/stage.hpp"
#include "properties/stages/stage_properties.hpp"
#include "reports/text.hpp"
#include "tally.hpp"

namespace deltaproof::campaign {
namespace {

constexpr std::size_t laws_a_problem = 2;

std::string counts_table(const std::string& heading, const std::map<std::string, KernelTally::Count>& rows) {
  std::string text = fmt::format("| {} | passed | uninformative | not applicable | alarms |\n|---|---|---|---|---|\n", heading);
  for (const auto& [name, count] : rows) {
    text += fmt::format("| {} | {} | {} | {} | {} |\n", name, count.passed, count.uninformative, count.skipped, count.alarms);
  }
  return text + "\n";
}

class Runner {
 public:
  explicit Runner(const KernelCampaign& campaign) : c_(campaign) {
    for (const BuiltInInfo& info : built_in_kernels()) {
      std::shared_ptr<const Kernel> kernel, other;
      if (!info.rules.empty()) {
        kernel = std::make_shared<BuiltInKernel>(info, c_.main);
        if (c_.damaged) kernel = c_.damaged(kernel);
        other = std::make_shared<BuiltInKernel>(info, c_.other);
      }
      kernels_.push_back(kernel);
      others_.push_back(other);
    }
  }

  void problem(std::uint64_t index, KernelTally& tally) const {
    const auto table = built_in_kernels();
    const std::size_t which = index % table.size();
    const BuiltInInfo& info = table[which];
    ++tally.problems;
    // Every kernel meets every family, and parts of kernels every kind of their own problems, whatever the numbers of
    // both.
    const std::uint64_t turn = index / table.size();
    if (const StageKernel* stage = find_stage(info.name)) return run_stage_on(*stage, turn, tally);
    if (info.rules.empty()) return solve(turn, tally);
    const Regime& regime = regimes()[turn % regimes().size()];
    const ProblemSpec spec = kernel_case_spec(info, regime, c_.seed, index, CaseSizes::small);
    SpecChecks checks;
    checks.checks.schedules = {{"another schedule", others_.at(which)}};
    checks.laws_in_turn = laws_a_problem;
    for (const SpecVerdict& each : check_spec(spec, *kernels_.at(which), checks)) {
      add(std::string(regime.name), each.verdict, fmt::format("--problem {}", shell_quote(to_text(spec))), tally);
    }
  }

 private:
  void solve(std::uint64_t index, KernelTally& tally) const {
    const SolveChecks checks{{{"another schedule", c_.other}}, nullptr, std::nullopt};
    for (const Verdict& verdict : check_solve(solve_case(c_.seed, index), *c_.main, checks)) {
      add("(solve)", verdict, fmt::format("--seed {} --only {}", c_.seed, index), tally);
    }
  }

  void run_stage_on(const StageKernel& stage, std::uint64_t index, KernelTally& tally) const {
    const StageProblem problem = stage.draw(c_.seed, index);
    const StageChecks checks{{{"another schedule", c_.other}}, nullptr, std::nullopt};
    for (const Verdict& verdict : check_stage({problem, *c_.main, checks, c_.seed})) {
      add("(cache)", verdict, fmt::format("--seed {} --only {}", c_.seed, index), tally);
    }
  }

  void add(const std::string& regime, const Verdict& verdict, const std::string& where, KernelTally& tally) const {
    tally.add(regime, verdict);
    if (!is_alarm(verdict) || verdict.status == Status::skipped || !c_.report_alarm) return;
    c_.report_alarm(fmt::format("{} {} {}: {}\n  deltaproof check --kernel {} --property {} {}", status_name(verdict.status),
                                verdict.property, verdict.case_name, verdict.reason, verdict.kernel, verdict.property,
                                where));
  }

  const KernelCampaign& c_;
  std::vector<std::shared_ptr<const Kernel>> kernels_, others_;  // as in the table; null: computes no rule
};

}  // namespace

void KernelTally::add(const std::string& regime, const Verdict& verdict) {
  for (Count* count : {&regimes[regime], &kernels[verdict.kernel], &properties[verdict.property]}) {
    std::int64_t& counted = verdict.status == Status::skipped         ? count->skipped
                            : is_alarm(verdict)                       ? count->alarms
                            : verdict.status == Status::uninformative ? count->uninformative
                                                                      : count->passed;
    ++counted;
  }
}

std::int64_t KernelTally::alarms() const {
  std::int64_t sum = 0;
  for (const auto& [name, count] : kernels) sum += count.alarms;
  return sum;
}

std::string KernelTally::markdown() const {
  return counts_table("kernel", kernels) + counts_table("family of inputs", regimes) + counts_table("property", properties);
}

KernelTally run_kernel_campaign(const KernelCampaign& campaign) {
  const Runner runner(campaign);
  KernelTally tally;
  const auto begin = std::chrono::steady_clock::now();
  for (std::int64_t i = 0; i < campaign.problems; ++i) {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    if (campaign.seconds > 0 && spent.count() > campaign.seconds) break;
    runner.problem(static_cast<std::uint64_t>(i), tally);
    if (campaign.progress) campaign.progress(i + 1);
  }
  return tally;
}

}  // namespace deltaproof::campaign
