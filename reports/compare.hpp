#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "reports/read_report.hpp"

namespace deltaproof {

/// What became of a verdict from one report to the next.
enum class Change { same, fixed, regressed, added, gone, not_run };
/// "same", "fixed", "regressed", "new", "gone", "not run".
const char* change_name(Change change);

enum class BitsChange { unchanged, changed, unknown };
/// "unchanged", "changed", "unknown".
const char* bits_change_name(BitsChange bits);

/// How bad: from 0 up, passed, suspect, uninformative and skipped, nonconforming, failed, error.
int badness(Status status);

/// Of a verdict that both reports hold. From the best status to the worst: passed, suspect, uninformative,
/// nonconforming, failed, error. A worse one than before has regressed. A better one is fixed if it is passed or
/// suspect: the proved bound holds now; else it is the same: still not right. Skipped now but not before: not run;
/// skipped before and not now: new.
Change change_of(Status before, Status now);

/// A verdict of either report, with its counterpart if there is one.
struct Compared {
  const Verdict* before = nullptr;  ///< null: new
  const Verdict* now = nullptr;     ///< null: gone
  Change change = Change::same;
  BitsChange bits = BitsChange::unknown;  ///< unknown unless both runs have a hash of their outputs

  /// The one of now, or that of before if it is gone.
  const Verdict& shown() const { return now != nullptr ? *now : *before; }
  /// New, and failed, nonconforming or an error: as bad as a regression.
  bool is_new_failure() const;
  /// New, and suspect, uninformative or skipped: as bad as a regression if strict.
  bool is_new_doubt() const;
  /// As bad as before (failed, nonconforming or an error), but further out: the largest error against its bound grew,
  /// or more values are out of it. As bad as a regression if strict.
  bool is_worse_failure() const;
};

/// What was not alike where the two reports were made: bits may differ for that alone.
struct Difference {
  std::string what;  ///< "compiler", "device", "source of chunk"
  std::string before, now;
};

/// It refers to the verdicts of both reports, which must outlive it.
struct ReportComparison {
  std::vector<Compared> entries;  ///< in the order of now, and then what is gone in the order of before
  std::array<std::size_t, 6> changes{};  ///< how many entries of each Change
  std::array<std::size_t, 3> bits{};     ///< of entries that both reports hold: how many of each BitsChange
  std::size_t ran_twice = 0;             ///< entries that both reports judged: neither of them skipped
  std::size_t new_failures = 0, new_doubts = 0, worse_failures = 0;
  std::size_t ambiguous = 0;  ///< verdicts whose case, kernel and property are not theirs alone
  std::vector<Difference> differences;

  std::size_t count(Change change) const { return changes[static_cast<std::size_t>(change)]; }
  std::size_t count(BitsChange change) const { return bits[static_cast<std::size_t>(change)]; }
};

/// Verdicts belong together that have the same case, kernel and property. Where several have, those of the same path
/// do, and the rest in their order; if fewer are left of now than of before, the worst of now with the best of before:
/// which ones are gone is not known, and a regression must not hide behind that.
ReportComparison compare_reports(const Report& before, const Report& now);

/// 1: something regressed, or a new verdict fails, or, if strict, something is gone or was not run, a new verdict is in
/// doubt, or one that failed is further out. 3: nothing of that, but no verdict was reached in both
/// reports. 0: none of this.
int exit_status(const ReportComparison& comparison, bool strict);

}  // namespace deltaproof
