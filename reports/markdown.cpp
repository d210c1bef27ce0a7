#include "reports/markdown.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/markdown_text.hpp"
#include "reports/terminal.hpp"
#include "reports/text.hpp"

namespace deltaproof {
namespace {

using namespace markdown;

constexpr std::size_t sections_shown = 20;   // of what failed; a person reads no more
constexpr std::size_t unproved_shown = 20;
constexpr std::size_t findings_shown = 5;    // of a verdict
constexpr std::size_t lines_shown = 40;      // of an explanation
constexpr std::size_t longest_line = 200;    // of an explanation
constexpr std::size_t longest_command = 1500;
// A comment on GitHub holds 65,536 characters. What is longer than this gets no further section; the longest section,
// with all of the above full, has some 15,000.
constexpr std::size_t full = 42000;

/// What is worst comes first.
int order_of(Status status) {
  switch (status) {
    case Status::failed:
      return 0;
    case Status::error:
      return 1;
    case Status::nonconforming:
      return 2;
    default:
      return 3;
  }
}

std::string sentence(const Summary& summary, std::size_t all) {
  if (all == 0) return "**Nothing was judged.**\n";
  const auto against = static_cast<std::size_t>(summary.failed + summary.nonconforming + summary.error);
  const int unproved = summary.uninformative + summary.skipped;
  if (against > 0) return fmt::format("**Failed**: {} of {} verdicts speak against the kernel.\n", against, all);
  if (unproved > 0) {
    return fmt::format("**Not proved**: {} of {} verdicts prove nothing; none failed.\n", unproved, all);
  }
  if (summary.suspect > 0) {
    return fmt::format("**Suspect**: {} of {} verdicts; every proved bound holds.\n", summary.suspect, all);
  }
  return fmt::format("**Passed**: all {} verdicts.\n", all);
}

std::string counts(const Summary& summary) {
  std::string text = "| passed | failed | nonconforming | suspect | uninformative | skipped | error |\n"
                     "|---:|---:|---:|---:|---:|---:|---:|\n";
  return text + fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", summary.passed, summary.failed,
                            summary.nonconforming, summary.suspect, summary.uninformative, summary.skipped,
                            summary.error);
}

std::string name_of(const Verdict& verdict) {
  return fmt::format("{} of {}: {}", code(verdict.property), code(verdict.kernel), code(verdict.case_name));
}

std::string worst_line(const Verdict& verdict) {
  if (!has_worst(verdict)) return {};
  return fmt::format("- worst: {} of {} at {}: value {}, expected {}, error {}, allowed {}\n",
                     number_text(verdict.worst_ratio), code(verdict.bound), code(to_string(verdict.worst)),
                     number_text(verdict.value, 9), number_text(verdict.expected, 9), number_text(verdict.error),
                     number_text(verdict.bound_value));
}

/// Where it starts to be wrong. If no value is out of its bound, the worst is not the place.
std::string place_lines(const Verdict& verdict) {
  const bool pin = verdict.conformity && verdict.conformity->has_pin_first_bad;
  const bool elsewhere = verdict.violations == 0 && (verdict.has_first_bad || pin);
  std::string text = elsewhere || failed_elsewhere(verdict) ? "" : worst_line(verdict);
  if (verdict.has_first_bad) text += fmt::format("- first bad: {}\n", code(to_string(verdict.first_bad)));
  if (pin) text += fmt::format("- first out of PIN: {}\n", code(to_string(verdict.conformity->pin_first_bad)));
  return text;
}

std::string finding_lines(const std::vector<SourceFinding>& findings) {
  std::string text;
  for (std::size_t i = 0; i < std::min(findings.size(), findings_shown); ++i) {
    const SourceFinding& finding = findings[i];
    std::string place = finding.file.empty() ? "unknown place" : finding.file;
    if (finding.line > 0) place += fmt::format(":{}", finding.line);
    text += fmt::format("- {}: {}: {}\n", code(place), code(finding.kind), code(finding.message, 400));
  }
  if (findings.size() > findings_shown) {
    text += fmt::format("- and {} more findings\n", findings.size() - findings_shown);
  }
  return text;
}

std::string explanation_block(const Verdict& verdict) {
  const std::vector<std::string> all = verdict.explained.empty() ? explanation(verdict) : verdict.explained;
  std::vector<std::string> lines;
  for (const std::string& line : all) {
    if (lines.size() == lines_shown) break;
    lines.push_back(short_text(line, longest_line));
  }
  if (all.size() > lines_shown) lines.push_back(fmt::format("and {} more (report.json)", all.size() - lines_shown));
  return closed_block(verdict.explained.empty() ? "The verdict in full" : "Explanation", lines);
}

std::string command_block(const std::string& command) {
  if (command.empty()) return {};
  const std::string line = printable(command);  // cut off it would be another command
  if (line.size() > longest_command) return "The line that reproduces it is long: `report.json` has it.\n\n";
  return code_block({line}, "sh") + "\n";
}

std::string section(const Verdict& verdict) {
  std::string text = fmt::format("#### {}: {}\n\n", status_name(verdict.status), name_of(verdict));
  text += fmt::format("- reason: {}\n", code(verdict.reason, 600));
  return text + place_lines(verdict) + finding_lines(verdict.findings) + "\n" + command_block(verdict.reproduce) +
         explanation_block(verdict) + "\n";
}

void add_sections(const std::vector<Verdict>& verdicts, std::string& text) {
  std::vector<const Verdict*> bad;
  for (const Verdict& verdict : verdicts) {
    if (is_failure(verdict.status)) bad.push_back(&verdict);
  }
  std::stable_sort(bad.begin(), bad.end(),
                   [](const Verdict* x, const Verdict* y) { return order_of(x->status) < order_of(y->status); });
  std::size_t shown = 0;
  while (shown < std::min(bad.size(), sections_shown) && text.size() < full) text += section(*bad[shown++]);
  if (shown == bad.size()) return;
  text += fmt::format("and {} more: `report.json` and `index.html` have them all.\n\n", bad.size() - shown);
}

void add_unproved(const std::vector<Verdict>& verdicts, std::string& text) {
  std::size_t shown = 0, all = 0;
  for (const Verdict& verdict : verdicts) {
    if (is_failure(verdict.status) || verdict.status == Status::passed) continue;
    if (all++ == 0) text += "#### Nothing is proved by\n\n";
    if (shown == unproved_shown || text.size() > full) continue;
    ++shown;
    text += fmt::format("- {}, {}: {}\n", status_name(verdict.status), name_of(verdict), code(verdict.reason));
  }
  if (all > shown) text += fmt::format("- and {} more\n", all - shown);
  if (all > 0) text += "\n";
}

}  // namespace

std::string markdown_summary(const std::vector<Verdict>& verdicts, const Environment& environment) {
  const Summary summary = summarise(verdicts);
  std::string text = "### Deltaproof\n\n";
  text += sentence(summary, verdicts.size());
  text += "\n";
  text += counts(summary);
  text += "\n";
  add_sections(verdicts, text);
  add_unproved(verdicts, text);
  return text + fmt::format("deltaproof {}, compiler {}, device {}, {}\n", code(environment.version),
                            code(environment.compiler), code(environment.device), code(environment.date));
}

}  // namespace deltaproof
