// Judges the built-in kernels on random problems of every family of inputs: any alarm is false, or a fault found
// (docs/false-alarms.md).
#include <cstdio>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "kernel_campaign.hpp"
#include "kernels/built_in/open_device.hpp"
#include "reports/environment.hpp"

int main(int argc, char** argv) {
  using namespace deltaproof;
  using namespace deltaproof::campaign;
  CLI::App app("Judges the built-in kernels on random problems. Exit status 1 if there is an alarm, 3 if fewer problems "
               "than --least were judged.");
  KernelCampaign campaign;
  std::int64_t least = 1;
  app.add_option("--problems", campaign.problems, "How many")->check(CLI::PositiveNumber);
  app.add_option("--seed", campaign.seed, "Which campaign");
  app.add_option("--seconds", campaign.seconds, "Stop after so many, if not done; 0: no limit");
  app.add_option("--least", least, "Problems that must have been judged");
  CLI11_PARSE(app, argc, argv);
  HostDeviceOptions options;
  options.folder = DELTAPROOF_KERNEL_LIBRARIES;
  campaign.main = open_host_device(options);
  options.schedule = Schedule::reverse;
  options.seed = 1;
  campaign.other = open_host_device(options);
  campaign.report_alarm = [](const std::string& text) {
    fmt::print("\n{}\n", text);
    std::fflush(stdout);
  };
  if (isatty(STDERR_FILENO) == 1) {
    campaign.progress = [total = campaign.problems](std::int64_t done) {
      fmt::print(stderr, "\r{} of {} problems", done, total);
    };
  }
  const KernelTally tally = run_kernel_campaign(campaign);
  if (campaign.progress) fmt::print(stderr, "\r{:40}\r", "");
  const Environment here = this_environment();
  fmt::print("{} problems of seed {}, {} alarms; deltaproof {}, {}, {}, {}\n\n{}", tally.problems, campaign.seed,
             tally.alarms(), here.version, here.compiler, here.cpu, here.date.substr(0, 10), tally.markdown());
  if (tally.alarms() > 0) return 1;
  return tally.problems < least ? 3 : 0;
}
