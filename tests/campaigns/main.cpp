// Judges correct kernels on synthetic inputs: any alarm is false (docs/false-alarms.md).
#include <cstdint>
#include <cstdio>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "campaign.hpp"
#include "reports/environment.hpp"

namespace {

using namespace deltaproof;
using namespace deltaproof::campaign;

int judge_one(std::uint64_t seed, std::uint64_t index) {
  const CorrectRun run = draw_run(seed, index);
  const Verdict verdict = judge(run);
  fmt::print("{}", alarm_text(run, verdict));
  return is_alarm(verdict) ? 1 : 0;
}

int judge_all(CampaignOptions options) {
  if (isatty(STDERR_FILENO) == 1) {
    options.progress = [total = options.runs](std::int64_t done) {
      fmt::print(stderr, "\r{} of {} runs", done, total);
    };
  }
  options.report_alarm = [](const std::string& text) {
    fmt::print("\n{}\n", text);
    std::fflush(stdout);
  };
  const Tally tally = run_campaign(options);
  if (options.progress) fmt::print(stderr, "\r{:40}\r", "");
  const Environment here = this_environment();
  fmt::print("{} runs of seed {}, {} alarms; deltaproof {}, {}, {}, {}\n\n{}", tally.runs(), options.seed,
             tally.alarms(), here.version, here.compiler, here.cpu, here.date.substr(0, 10), tally.markdown());
  return tally.alarms() == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Judges correct kernels on synthetic inputs. Exit status 1 if any of them raises an alarm.");
  CampaignOptions options;
  std::int64_t only = -1;
  app.add_option("--runs", options.runs, "How many runs")->check(CLI::PositiveNumber);
  app.add_option("--seed", options.seed, "Which campaign");
  app.add_option("--threads", options.threads, "Runs judged at a time; 0: as many as there are cores");
  app.add_option("--only", only, "Judge this run of the campaign alone and print all that was found");
  CLI11_PARSE(app, argc, argv);
  return only >= 0 ? judge_one(options.seed, static_cast<std::uint64_t>(only)) : judge_all(options);
}
