#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "reference/verdict.hpp"
#include "reports/environment.hpp"

namespace deltaproof {

/// What a report.json holds.
struct Report {
  Environment environment;
  std::vector<Verdict> verdicts;
};

/// Fields that are not known are ignored; `findings`, `profile` and `explained` may be missing. Throws ReportError, one
/// line, for a damaged report and for one of another version: `name` (a file), the field, what it is, what was wanted.
Report parse_report(std::string_view json, const std::string& name);

/// The same of a file. Throws ReportError, also for one that cannot be read.
Report read_report(const std::filesystem::path& file);

}  // namespace deltaproof
