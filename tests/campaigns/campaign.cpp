#include "campaign.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "properties/accuracy/accuracy.hpp"
#include "reports/terminal.hpp"

namespace deltaproof::campaign {
namespace {

// Given outputs, under the order that the run's kernel declares, or under none.
class JudgedKernel : public Kernel {
 public:
  JudgedKernel(const CorrectRun& run, const Problem& problem, Outputs outputs)
      : arithmetic_(problem.options().arithmetic), outputs_(std::move(outputs)) {
    if (run.judged_as == JudgedAs::built_in || run.judged_as == JudgedAs::declared) declared_ = run.declared;
  }
  std::string name() const override { return "emulated"; }
  std::string arithmetic() const override { return arithmetic_; }
  std::optional<Declared> declared() const override { return declared_; }
  Outputs run(const Problem&) const override { return outputs_; }

 private:
  std::string arithmetic_;
  std::optional<Declared> declared_;
  Outputs outputs_;
};

}  // namespace

Verdict judge(const CorrectRun& run, Planted planted) try {
  const Problem problem = problem_of(run);
  const JudgedKernel kernel(run, problem, kernel_outputs(run, problem, planted));
  AccuracyOptions options;
  options.conformity = kernel.declared().has_value();
  options.threads = 1;
  return check_accuracy(problem, kernel, options);
} catch (const std::exception& failure) {
  Verdict verdict;
  verdict.case_name = run.regime->name;
  verdict.reason = failure.what();
  return verdict;
}

std::string alarm_text(const CorrectRun& run, const Verdict& verdict) {
  std::string text = fmt::format("{}: {}\n", status_name(verdict.status), describe(run));
  for (const std::string& line : explanation(verdict)) text += "    " + line + "\n";
  return text + fmt::format("    reproduce: deltaproof_false_alarms --seed {} --only {}\n", run.campaign, run.index);
}

Tally run_campaign(const CampaignOptions& options) {
  Tally tally;
  std::mutex mutex;
  std::atomic<std::int64_t> next = 0;
  std::int64_t done = 0;
  const auto work = [&] {
    for (std::int64_t i = next++; i < options.runs; i = next++) {
      const CorrectRun run = draw_run(options.seed, static_cast<std::uint64_t>(i));
      const Verdict verdict = judge(run);
      const std::lock_guard lock(mutex);
      tally.add(run, verdict);
      if (is_alarm(verdict) && options.report_alarm) options.report_alarm(alarm_text(run, verdict));
      if (options.progress) options.progress(++done);
    }
  };
  const int wanted = options.threads > 0 ? options.threads : static_cast<int>(std::thread::hardware_concurrency());
  std::vector<std::thread> others;
  for (int i = 1; i < wanted; ++i) others.emplace_back(work);
  work();
  for (std::thread& thread : others) thread.join();
  return tally;
}

}  // namespace deltaproof::campaign
