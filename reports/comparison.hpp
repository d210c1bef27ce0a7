#pragma once

#include <string>

#include "reports/compare.hpp"

namespace deltaproof {

/// Two reports and what came of each verdict.
struct ComparedReports {
  std::string before_name, now_name;  ///< files
  const Report* before = nullptr;
  const Report* now = nullptr;
  const ReportComparison* comparison = nullptr;
};

/// For people: where both were made and how that differs; a line for each verdict that is not as it was, regressions
/// first; last the counts. Printable ASCII.
std::string comparison_text(const ComparedReports& reports);

/// "12 same, 0 fixed, 1 regressed, 0 new, 0 gone, 0 not run; bits: 11 unchanged, 2 changed, 0 unknown"
std::string comparison_line(const ReportComparison& comparison);

/// For machines: schema deltaproof.comparison/1 (docs/ci.md), every verdict.
std::string comparison_json(const ComparedReports& reports);

}  // namespace deltaproof
