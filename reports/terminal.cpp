#include "reports/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "reports/advisory.hpp"
#include "reports/text.hpp"

namespace deltaproof {
namespace {

constexpr std::size_t columns = 5;
using Row = std::array<std::string, columns>;

// "0.438 of LOC at o: sequence 0, token 70"; where no value is beyond its bound, what is wrong and not what is largest.
std::string measure_of(const Verdict& verdict) {
  if (failed_elsewhere(verdict)) {
    return verdict.has_first_bad ? "first bad " + printable(to_string(verdict.first_bad)) : "-";
  }
  if (!has_worst(verdict)) return "-";
  return number_text(verdict.worst_ratio) + " of " + printable(verdict.bound) + " at " +
         printable(to_string(verdict.worst));
}

Row row_of(const Verdict& verdict) {
  return {status_name(verdict.status), printable(verdict.case_name), printable(verdict.kernel),
          printable(verdict.property), measure_of(verdict)};
}

std::string aligned(const Row& row, const std::array<std::size_t, columns>& widths) {
  std::string line;
  for (std::size_t i = 0; i < columns; ++i) {
    line += i + 1 < columns ? fmt::format("{:<{}}  ", row[i], widths[i]) : row[i];
  }
  return line;
}

const char* colour_of(Status status) {
  switch (status) {
    case Status::passed:
      return "\x1b[32m";
    case Status::failed:
    case Status::nonconforming:
    case Status::error:
      return "\x1b[31m";
    default:
      return "\x1b[33m";
  }
}

std::string coloured(std::string line, Status status) {
  const std::size_t length = std::string_view(status_name(status)).size();
  return colour_of(status) + line.substr(0, length) + "\x1b[0m" + line.substr(length);
}

std::string terms_text(std::vector<BoundTerm> terms) {
  std::stable_sort(terms.begin(), terms.end(),
                   [](const BoundTerm& x, const BoundTerm& y) { return x.value > y.value; });
  // Terms below a thousandth of the largest explain nothing; report.json has them all.
  const double least = terms.front().value * 1e-3;
  std::string text;
  for (const BoundTerm& term : terms) {
    if (term.value < least) break;
    if (!text.empty()) text += "; ";
    text += printable(term.name) + " = " + number_text(term.value);
  }
  return text;
}

std::string probe_text(const Probe& probe) {
  std::string text = printable(probe.wrong_answer) + " in " + printable(probe.tensor);
  if (probe.head >= 0) text += fmt::format(", head {}", probe.head);
  if (probe.places > 0) {
    text += fmt::format(" ({} {}, the first at sequence {}, token {})", probe.places,
                        probe.places == 1 ? "place" : "places", probe.first.sequence, probe.first.token);
  }
  return text;
}

// A few are enough for a person; report.json has them all.
constexpr std::size_t probes_shown = 4;

// "PIN: 0 of 229376 outside, 74.3 % known to the bit; bits: 0 of 229376 differ (hopper)"
std::string conformity_text(const ConformityReport& report) {
  std::string text;
  if (!report.pin.empty()) {
    text += fmt::format("{}: {} of {} outside", printable(report.pin), report.pin_violations, report.pin_compared);
    if (report.pin_compared > 0) {
      const double share = static_cast<double>(report.pin_unambiguous) / static_cast<double>(report.pin_compared);
      text += fmt::format(", {:.1f} % known to the bit", 100 * share);
    }
    if (report.pin_unknown > 0) text += fmt::format(", of {} nothing is known", report.pin_unknown);
  }
  if (!report.bits.empty()) {
    text += fmt::format("{}bits: {} of {} differ ({})", text.empty() ? "" : "; ", report.bits_unequal,
                        report.bits_compared, printable(report.bits));
  }
  return text;
}

void add_conformity(const Verdict& verdict, std::vector<std::string>& lines) {
  if (!verdict.conformity) return;
  const ConformityReport& report = *verdict.conformity;
  lines.push_back("declared   " + printable(report.declaration));
  if (!report.layout.empty()) {
    lines.push_back("           in a layout that autotuning chose: " + printable(report.layout));
  }
  if (const std::string text = conformity_text(report); !text.empty()) lines.push_back("           " + text);
  for (const std::string& why : report.missing) lines.push_back("           " + printable(why));
  if (report.has_pin_first_bad) {
    lines.push_back("           first outside: " + printable(to_string(report.pin_first_bad)));
  }
  if (report.bits_unequal > 0) {
    lines.push_back("           first bit: " + printable(to_string(report.bits_first)));
  }
}

void add_advisory(const Verdict& verdict, std::vector<std::string>& lines) {
  if (!verdict.advisory) return;
  for (std::string& line : advisory_lines(*verdict.advisory)) lines.push_back(std::move(line));
}

void add_accepted_probes(const std::vector<Probe>& probes, std::vector<std::string>& lines) {
  std::size_t accepted = 0;
  for (const Probe& probe : probes) {
    if (!probe.accepted) continue;
    if (++accepted <= probes_shown) lines.push_back("accepts    " + probe_text(probe));
  }
  if (accepted > probes_shown) {
    lines.push_back(fmt::format("accepts    and {} more (report.json has them all)", accepted - probes_shown));
  }
}

// "source     kernels/scan.cu:30 (race); kernels/scan.cu:28". The reason has the words.
void add_findings(const std::vector<SourceFinding>& findings, std::vector<std::string>& lines) {
  if (findings.empty()) return;
  std::string text;
  for (const SourceFinding& finding : findings) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : "; ", printable(finding.file), finding.line);
    if (&finding == &findings.front()) text += fmt::format(" ({})", printable(finding.kind));
  }
  lines.push_back(fmt::format("source     {}", text));
}

// "host executor, schedule random, seed 0; tensor core hopper; gcc 12.2.0 -O2; source 3f2a..; 128 threads a block"
void add_provenance(const Provenance& ran, std::vector<std::string>& lines) {
  if (ran.device.empty()) return;
  std::string text = ran.device;
  if (!ran.driver.empty()) text += ", driver " + ran.driver;
  if (!ran.tensor_core.empty()) text += "; tensor core " + ran.tensor_core;
  lines.push_back("ran        " + printable(text));
  text = ran.compiler + " " + ran.flags + "; source " + ran.source_hash.substr(0, 12);
  if (!ran.launch.empty()) text += "; " + ran.launch;
  lines.push_back("           " + printable(text));
}

}  // namespace

bool has_worst(const Verdict& verdict) {
  return !verdict.worst.tensor.empty() && verdict.compared > 0;
}

bool failed_elsewhere(const Verdict& verdict) {
  return verdict.status == Status::failed && verdict.violations == 0;
}

std::vector<std::string> explanation(const Verdict& verdict) {
  std::vector<std::string> lines;
  lines.push_back("reason     " + printable(verdict.reason));
  add_findings(verdict.findings, lines);
  if (failed_elsewhere(verdict)) {
    if (has_worst(verdict)) {
      lines.push_back(fmt::format("largest    {} of {}: no value is beyond its bound", number_text(verdict.worst_ratio),
                                  printable(verdict.bound)));
    }
  } else if (has_worst(verdict)) {
    lines.push_back("worst      " + printable(to_string(verdict.worst)));
    lines.push_back(fmt::format("           value {}, expected {}, error {}, bound {} ({})",
                                number_text(verdict.value, 9), number_text(verdict.expected, 9),
                                number_text(verdict.error), number_text(verdict.bound_value),
                                printable(verdict.bound)));
  }
  if (!verdict.terms.empty() && !failed_elsewhere(verdict)) lines.push_back("bound      " + terms_text(verdict.terms));
  if (verdict.has_first_bad) {
    lines.push_back("first bad  " + printable(to_string(verdict.first_bad)));
  }
  if (verdict.compared > 0) {
    lines.push_back(
        fmt::format("out        {} of {} compared values", verdict.violations, verdict.compared));
  }
  add_accepted_probes(verdict.probes, lines);
  add_conformity(verdict, lines);
  add_advisory(verdict, lines);
  for (const std::string& note : verdict.notes) lines.push_back("note       " + printable(note));
  add_provenance(verdict.ran, lines);
  if (!verdict.reproduce.empty()) lines.push_back("reproduce: " + printable(verdict.reproduce));
  return lines;
}

std::string summary_line(const Summary& summary) {
  return fmt::format(
      "{} passed, {} failed, {} nonconforming, {} suspect, {} uninformative, {} skipped, {} error",
      summary.passed, summary.failed, summary.nonconforming, summary.suspect, summary.uninformative,
      summary.skipped, summary.error);
}

std::string terminal_report(const std::vector<Verdict>& verdicts, bool colour) {
  std::vector<Row> rows;
  std::array<std::size_t, columns> widths{};
  for (const Verdict& verdict : verdicts) {
    rows.push_back(row_of(verdict));
    for (std::size_t i = 0; i < columns; ++i) {
      widths[i] = std::max(widths[i], rows.back()[i].size());
    }
  }
  std::string text;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    const std::string line = aligned(rows[i], widths);
    text += (colour ? coloured(line, verdicts[i].status) : line) + "\n";
    if (verdicts[i].status == Status::passed) {
      std::vector<std::string> lines;
      add_conformity(verdicts[i], lines);
      add_advisory(verdicts[i], lines);
      for (const std::string& detail : lines) text += "    " + detail + "\n";
      for (const std::string& note : verdicts[i].notes) text += "    note       " + printable(note) + "\n";
      continue;
    }
    for (const std::string& detail : explanation(verdicts[i])) text += "    " + detail + "\n";
  }
  return text + summary_line(summarise(verdicts)) + "\n";
}

}  // namespace deltaproof
