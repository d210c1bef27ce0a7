#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "reports/comparison.hpp"
#include "reports/terminal.hpp"
#include "reports/text.hpp"

namespace deltaproof {
namespace {

constexpr std::size_t differences_shown = 12;  // compare --json has them all

bool ratios_known(const Compared& entry) {
  return entry.before != nullptr && entry.now != nullptr && has_worst(*entry.before) && has_worst(*entry.now);
}

bool ratio_moved(const Compared& entry) {
  if (!ratios_known(entry)) return false;
  const double before = entry.before->worst_ratio, now = entry.now->worst_ratio;
  return before != now && !(std::isnan(before) && std::isnan(now));
}

/// By how much the largest error grew; 1 where that has no number.
double growth(const Compared& entry) {
  if (!ratio_moved(entry)) return 1;
  const double factor = entry.now->worst_ratio / entry.before->worst_ratio;
  return std::isnan(factor) ? 1 : factor;
}

/// Whether anything is not as it was.
bool has_line(const Compared& entry) {
  if (entry.change != Change::same || entry.bits == BitsChange::changed) return true;
  return entry.before->status != entry.now->status || ratio_moved(entry) || entry.is_worse_failure();
}

int line_order(const Compared& entry) {
  if (entry.is_new_failure()) return 1;
  switch (entry.change) {
    case Change::regressed:
      return 0;
    case Change::not_run:
      return 2;
    case Change::gone:
      return 3;
    case Change::fixed:
      return 4;
    case Change::added:
      return 5;
    case Change::same:
      return 6;
  }
  return 6;
}

std::string statuses(const Compared& entry) {
  const Status status = entry.shown().status;
  if (entry.change == Change::gone) return fmt::format("was {}", status_name(status));
  if (entry.before == nullptr || entry.before->status == status) return status_name(status);
  return fmt::format("{} -> {}", status_name(entry.before->status), status_name(status));
}

std::string ratios(const Compared& entry) {
  if (!ratio_moved(entry)) return {};
  std::string text = fmt::format("worst {} -> {}", number_text(entry.before->worst_ratio),
                                 number_text(entry.now->worst_ratio));
  const double factor = growth(entry);
  if (factor != 1 && factor != 0 && std::isfinite(factor)) text += fmt::format(" (x {})", number_text(factor));
  return text;
}

constexpr std::size_t columns = 6;
using Row = std::array<std::string, columns>;

Row row_of(const Compared& entry) {
  const Verdict& verdict = entry.shown();
  std::string what = statuses(entry), bits;
  if (entry.before != nullptr && entry.now != nullptr) bits = fmt::format("bits {}", bits_change_name(entry.bits));
  if (const std::string moved = ratios(entry); !moved.empty()) bits += "  " + moved;
  return {change_name(entry.change), printable(verdict.case_name), printable(verdict.kernel),
          printable(verdict.property), std::move(what), std::move(bits)};
}

std::string lines(const std::vector<Compared>& entries) {
  std::vector<Row> rows;
  std::array<std::size_t, columns> widths{};
  for (const Compared& entry : entries) {
    rows.push_back(row_of(entry));
    for (std::size_t i = 0; i < columns; ++i) widths[i] = std::max(widths[i], rows.back()[i].size());
  }
  std::string text;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    std::string line;
    for (std::size_t j = 0; j < columns; ++j) line += fmt::format("{:<{}}  ", rows[i][j], widths[j]);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    if (line_order(entries[i]) > 2) continue;
    const Verdict& verdict = entries[i].shown();
    if (!verdict.reason.empty()) text += "    reason     " + printable(verdict.reason) + "\n";
    if (!verdict.reproduce.empty()) text += "    reproduce: " + printable(verdict.reproduce) + "\n";
  }
  return text;
}

std::string origin(const char* when, const std::string& name, const Environment& environment) {
  return fmt::format("{:<9}{}: deltaproof {}, {}, device {}, {}\n", when, printable(name),
                     printable(environment.version), printable(environment.compiler), printable(environment.device),
                     printable(environment.date));
}

/// A digest by its beginning; other values whole.
std::string short_value(const Difference& difference, const std::string& value) {
  if (value.empty()) return "unknown";
  return printable(difference.what.starts_with("source") ? value.substr(0, 12) : value);
}

std::string differences(const std::vector<Difference>& list) {
  std::string text;
  for (std::size_t i = 0; i < std::min(list.size(), differences_shown); ++i) {
    text += fmt::format("differs  {}: {} -> {}\n", printable(list[i].what), short_value(list[i], list[i].before),
                        short_value(list[i], list[i].now));
  }
  if (list.size() > differences_shown) text += fmt::format("differs  and {} more\n", list.size() - differences_shown);
  if (!list.empty()) text += "         bits and ratios may have moved for that alone\n";
  return text;
}

std::string remarks(const ReportComparison& comparison) {
  std::string text;
  const auto most = std::max_element(comparison.entries.begin(), comparison.entries.end(),
                                     [](const Compared& x, const Compared& y) { return growth(x) < growth(y); });
  if (most != comparison.entries.end() && growth(*most) > 1) {
    text += fmt::format("largest growth of an error against its bound: {}  {}  {}  {}\n",
                        printable(most->now->case_name), printable(most->now->kernel),
                        printable(most->now->property), ratios(*most));
  }
  if (comparison.ambiguous > 0) {
    text += fmt::format(
        "{} verdicts share case, kernel and property with another one: matched by path, then in order\n",
        comparison.ambiguous);
  }
  if (comparison.new_failures > 0) {
    text += fmt::format("{} of the new ones failed: as bad as a regression\n", comparison.new_failures);
  }
  if (comparison.new_doubts > 0) {
    text += fmt::format("{} of the new ones are suspect or prove nothing: with --strict as bad as a regression\n",
                        comparison.new_doubts);
  }
  if (comparison.worse_failures > 0) {
    text += fmt::format("{} that failed before are further out: with --strict as bad as a regression\n",
                        comparison.worse_failures);
  }
  if (comparison.ran_twice == 0) text += "nothing was compared: no verdict was reached in both reports\n";
  return text;
}

}  // namespace

std::string comparison_line(const ReportComparison& comparison) {
  using enum Change;
  const std::string changes = fmt::format("{} same, {} fixed, {} regressed, {} new, {} gone, {} not run",
                                          comparison.count(same), comparison.count(fixed), comparison.count(regressed),
                                          comparison.count(added), comparison.count(gone), comparison.count(not_run));
  return fmt::format("{}; bits: {} unchanged, {} changed, {} unknown", changes,
                     comparison.count(BitsChange::unchanged), comparison.count(BitsChange::changed),
                     comparison.count(BitsChange::unknown));
}

std::string comparison_text(const ComparedReports& reports) {
  const ReportComparison& comparison = *reports.comparison;
  std::vector<Compared> shown;
  std::copy_if(comparison.entries.begin(), comparison.entries.end(), std::back_inserter(shown), has_line);
  std::stable_sort(shown.begin(), shown.end(),
                   [](const Compared& x, const Compared& y) { return line_order(x) < line_order(y); });
  return origin("before", reports.before_name, reports.before->environment) +
         origin("now", reports.now_name, reports.now->environment) + differences(comparison.differences) +
         lines(shown) + remarks(comparison) + comparison_line(comparison) + "\n";
}

}  // namespace deltaproof
