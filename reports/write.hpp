#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "reference/verdict.hpp"
#include "reports/environment.hpp"

namespace deltaproof {

/// A report that could not be written; the message is one line and names the path.
class ReportError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Makes the folder if it is missing and shows that files can be made in it, so that a run need not
/// be judged only to lose its report. Throws ReportError.
void prepare_report_folder(const std::filesystem::path& folder);

/// The same for one other file: makes the folder if it is missing and shows that the file can be written.
void prepare_report_file(const std::filesystem::path& folder, const std::string& name);
/// Writes it: complete, or an error and what was there before. Throws ReportError.
void write_report_file(const std::filesystem::path& folder, const std::string& name, std::string_view content);

/// Writes report.json and junit.xml into `folder`, made if missing: both complete, or
/// an error and no partial report. Throws ReportError.
void write_reports(const std::filesystem::path& folder, const std::vector<Verdict>& verdicts,
                   const Environment& environment);

}  // namespace deltaproof
