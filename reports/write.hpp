#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "reference/verdict.hpp"
#include "reports/environment.hpp"

namespace deltaproof {

/// A report that could not be written or read; the message is one line and names the path.
class ReportError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Makes the folder if it is missing and shows that all files of a report can be made in it, and that what other
/// commands left there (kill_matrix.json, claims.json) can be shown beside it, so that a run need not be judged only to
/// lose its report. Throws ReportError.
void prepare_report_folder(const std::filesystem::path& folder);

/// Writes report.json, junit.xml, summary.md, findings.sarif and index.html into `folder`, made if missing: all
/// complete, or an error and no partial report. Throws ReportError.
void write_reports(const std::filesystem::path& folder, const std::vector<Verdict>& verdicts,
                   const Environment& environment);

/// The same for a command that adds one of kill_matrix.json and claims.json, and makes index.html anew.
void prepare_report_part(const std::filesystem::path& folder, const std::string& name);
void write_report_part(const std::filesystem::path& folder, const std::string& name, std::string_view content);

/// Makes index.html anew from what the folder holds. Throws ReportError, also for a folder that holds nothing.
void write_page(const std::filesystem::path& folder);

/// Of one other file: makes the folder if it is missing and shows that the file can be written.
void prepare_report_file(const std::filesystem::path& folder, const std::string& name);
/// Writes it: complete, or an error and what was there before. Throws ReportError.
void write_report_file(const std::filesystem::path& folder, const std::string& name, std::string_view content);

}  // namespace deltaproof
