#include "reports/advisory.hpp"

#include <fmt/format.h>

#include "reports/text.hpp"

namespace deltaproof {
namespace {

// A few are enough for a person; report.json has them all.
constexpr std::size_t structures_shown = 5;

// "6 sigma: 0 of 49408 beyond 7.2 sigma, largest 4.1"
std::string sigma_text(const AdvisoryReport& report) {
  if (report.sigma_compared == 0) return "6 sigma: nothing compared";
  return fmt::format("6 sigma: {} of {} beyond {} sigma, largest {}", report.sigma_outside, report.sigma_compared,
                     number_text(report.sigma_limit), number_text(report.sigma_largest));
}

// "structured error: 0 of 1042 statistics"
std::string structured_text(const AdvisoryReport& report) {
  if (report.statistics == 0) return "structured error: nothing tested";
  return fmt::format("structured error: {} of {} statistics", report.structures.size(), report.statistics);
}

// "slope of o, all: 0.0003 (a correct kernel: 1.1e-05, within 9.8e-05)", "energy of o, position 63: 5.1 (limit 2.3)"
std::string structure_text(const Structure& structure) {
  std::string text = printable(structure.statistic) + " of " + printable(structure.tensor) + ", " +
                     printable(structure.group);
  if (structure.index >= 0) text += fmt::format(" {}", structure.index);
  text += ": " + number_text(structure.value) + " (";
  if (structure.statistic == "slope") {
    text += "a correct kernel: " + number_text(structure.expected) + ", within ";
    return text + number_text(structure.limit) + ")";
  }
  return text + "limit " + number_text(structure.limit) + ")";
}

void add_found(const AdvisoryReport& report, std::vector<std::string>& lines) {
  if (report.sigma_outside == 0 && report.structures.empty()) return;
  if (!report.sigma_worst.tensor.empty()) {
    lines.push_back("           largest at " + printable(to_string(report.sigma_worst)));
  }
  for (std::size_t i = 0; i < report.structures.size() && i < structures_shown; ++i) {
    lines.push_back("           " + structure_text(report.structures[i]));
  }
  if (report.structures.size() > structures_shown) {
    lines.push_back(fmt::format("           and {} more (report.json has them all)",
                                report.structures.size() - structures_shown));
  }
}

}  // namespace

std::vector<std::string> advisory_lines(const AdvisoryReport& report) {
  if (!report.off.empty()) return {"advisory   off: " + printable(report.off)};
  std::vector<std::string> lines{"advisory   " + sigma_text(report) + "; " + structured_text(report)};
  add_found(report, lines);
  if (report.units_off > 0) {
    lines.push_back(fmt::format("           {} of {} chunks left out: {}", report.units_off,
                                report.units + report.units_off, printable(report.why_units_off)));
  }
  return lines;
}

}  // namespace deltaproof
