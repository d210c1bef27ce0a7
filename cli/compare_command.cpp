#include <filesystem>
#include <system_error>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "reports/comparison.hpp"

namespace deltaproof::cli {
namespace {

/// A folder stands for the report in it.
std::filesystem::path report_file(const std::filesystem::path& given) {
  std::error_code ignored;
  return std::filesystem::is_directory(given, ignored) ? given / "report.json" : given;
}

}  // namespace

int run_compare(const CompareArguments& arguments) {
  const std::filesystem::path before_file = report_file(arguments.before), now_file = report_file(arguments.after);
  const Report before = read_report(before_file), now = read_report(now_file);
  const ReportComparison comparison = compare_reports(before, now);
  const ComparedReports reports{before_file.string(), now_file.string(), &before, &now, &comparison};
  print(arguments.json ? comparison_json(reports) : comparison_text(reports));
  return exit_status(comparison, arguments.strict);
}

}  // namespace deltaproof::cli
