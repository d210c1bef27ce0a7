#include "cli/hunt_report.hpp"
#include "cli/reproduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "properties/diagnose/hunt/proposal.hpp"
#include "reports/text.hpp"

namespace deltaproof::cli {
namespace {

constexpr std::size_t most_findings = 5;  // shown

std::string file_of(const HuntArguments& arguments, const WorstCase& worst) {
  const std::string path = (std::filesystem::path(*arguments.out) / (worst.name + ".safetensors")).string();
  return quoted_path(path);
}

std::string kernel_options(const HuntArguments& arguments) {
  std::string text = " --kernel " + arguments.kernel;
  if (arguments.device != "host") text += " --device " + arguments.device;
  if (arguments.timeout != HuntArguments{}.timeout) text += fmt::format(" --timeout {}", arguments.timeout);
  return text;
}

// The same search, as far as this case.
std::string search_again(const HuntArguments& arguments, const WorstCase& worst) {
  std::string text = "deltaproof hunt" + kernel_options(arguments);
  for (const auto& [option, value] : {std::pair{"--rule", &arguments.rule}, std::pair{"--dtype", &arguments.dtype},
                                      std::pair{"--objective", &arguments.objective},
                                      std::pair{"--defect", &arguments.defect}}) {
    if (!value->empty()) text += fmt::format(" {} {}", option, *value);
  }
  return text + fmt::format(" --seed {} --evaluations {} --time 86400 --out DIR", arguments.seed, worst.evaluation + 1);
}

std::string reproduction(const HuntArguments& arguments, const WorstCase& worst) {
  if (worst.candidate.entries.empty() && arguments.defect.empty()) {
    return fmt::format("deltaproof check{} --property accuracy --problem {}", kernel_options(arguments),
                       shell_quote(to_text(worst.candidate.spec)));
  }
  if (!arguments.out) return search_again(arguments, worst);
  const std::string line = "deltaproof check " + file_of(arguments, worst);
  return arguments.defect.empty() ? line + kernel_options(arguments) + " --property accuracy" : line;
}

std::string where(const HuntArguments& arguments, const WorstCase& worst) {
  std::string text = "          problem    " + printable(to_text(worst.candidate.spec)) + "\n";
  for (const EntryMove& move : worst.candidate.entries) text += "          then       " + to_text(move) + "\n";
  if (arguments.out) text += "          file       " + file_of(arguments, worst) + "\n";
  return text + "          reproduce: " + reproduction(arguments, worst) + "\n";
}

const WorstCase& case_named(const std::vector<WorstCase>& all, const std::string& name) {
  return *std::find_if(all.begin(), all.end(), [&](const WorstCase& each) { return each.name == name; });
}

std::string of_objective(const HuntState& state, Objective objective, const std::vector<WorstCase>& worst,
                         const HuntArguments& arguments) {
  const std::vector<Worst> ranked = state.archives[static_cast<std::size_t>(objective)].ranked(objective);
  if (ranked.empty()) return fmt::format("{:<8}  no run has a value\n", objective_name(objective));
  const Worst& first = ranked.front();
  const Dtype type = first.candidate.spec.shape.input;
  std::string text = fmt::format("{:<8}  {:<10}", objective_name(objective), number_text(first.value, 5));
  if (const TypicalValues* typical = state.typical_of(objective, type); typical != nullptr && typical->largest > 0) {
    text += fmt::format(" {:.3g} times the largest of {} typical problems in {} (mean {:.3g}, largest {:.3g})",
                        first.value / typical->largest, typical->problems, dtype_name(type), typical->mean(),
                        typical->largest);
  } else {
    text += fmt::format(" no typical problem in {} has a value above 0", dtype_name(type));
  }
  return text + "\n" + where(arguments, case_named(worst, fmt::format("{}-1", objective_name(objective))));
}

std::string findings(const HuntState& state, const std::vector<WorstCase>& worst, const HuntArguments& arguments) {
  std::string text;
  const std::size_t count = state.findings.size(), first = worst.size() - count;  // they come last, in their order
  for (std::size_t i = 0; i < std::min(count, most_findings); ++i) {
    const Finding& finding = state.findings[i];
    text += fmt::format("{:<8}  {}\n", status_name(finding.status), printable(finding.reason)) +
            where(arguments, worst[first + i]);
  }
  if (count <= most_findings) return text;
  return text + fmt::format("          and {} findings of other rules, types and verdicts{}\n", count - most_findings,
                            arguments.out ? ": " + shell_quote(*arguments.out) + " has them" : " (--out DIR keeps them)");
}

std::string counts(const HuntState& state, const HuntPace& pace) {
  std::string text;
  for (const auto& [status, count] : state.statuses) text += fmt::format(", {} {}", count, status);
  return fmt::format("{} evaluations{}; {} of them now, {:.1f} a second\n", state.evaluations, text, pace.evaluations,
                     pace.seconds > 0 ? static_cast<double>(pace.evaluations) / pace.seconds : 0);
}

}  // namespace

double share_of(const HuntState& state, std::int64_t evaluations) {
  return static_cast<double>(state.evaluations + static_cast<std::int64_t>(state.pending.size())) /
         static_cast<double>(evaluations);
}

std::string hunt_report(const HuntState& state, const std::vector<WorstCase>& worst, const HuntArguments& arguments,
                        const HuntPace& pace) {
  std::string text = findings(state, worst, arguments);
  for (const Objective objective : objectives_of(state.identity)) {
    text += of_objective(state, objective, worst, arguments);
  }
  return text + counts(state, pace);
}

}  // namespace deltaproof::cli
