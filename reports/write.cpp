#include "reports/write.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>

#include "reports/json.hpp"
#include "reports/junit.hpp"
#include "reports/markdown.hpp"
#include "reports/page.hpp"
#include "reports/pending_files.hpp"
#include "reports/sarif.hpp"
#include "reports/text.hpp"

namespace deltaproof {
namespace {

namespace fs = std::filesystem;

constexpr const char* report_file = "report.json";
constexpr const char* matrix_file = "kill_matrix.json";
constexpr const char* page_file = "index.html";

[[noreturn]] void fail(const std::string& what, const fs::path& path, int error) {
  throw ReportError(fmt::format("cannot {} {}: {}", what, shell_quote(path.string()),
                                std::generic_category().message(error)));
}

/// A rename would fail on a folder and put a file in the place of a device or a link: found before the first
/// file is replaced.
void refuse_special_file(const fs::path& target) {
  std::error_code ignored;
  const fs::file_status status = fs::symlink_status(target, ignored);
  if (!fs::exists(status) || fs::is_regular_file(status)) return;
  if (fs::is_directory(status)) fail("write", target, EISDIR);
  throw ReportError("cannot write " + shell_quote(target.string()) + ": it exists and is not a regular file");
}

}  // namespace

void prepare_report_file(const fs::path& folder, const std::string& name) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail("make the report folder", folder, error.value());
  if (!fs::is_directory(folder, error)) fail("make the report folder", folder, ENOTDIR);
  refuse_special_file(folder / name);
  PendingFiles(folder).add(name, "");
}

void write_report_file(const fs::path& folder, const std::string& name, std::string_view content) {
  prepare_report_file(folder, name);
  PendingFiles files(folder);
  files.add(name, content);
  files.commit();
}

void prepare_report_folder(const fs::path& folder) {
  for (const char* name : {report_file, "junit.xml", "summary.md", "findings.sarif", page_file}) {
    prepare_report_file(folder, name);
  }
  read_page_parts(folder, report_file);
}

void write_reports(const fs::path& folder, const std::vector<Verdict>& verdicts,
                   const Environment& environment) {
  prepare_report_folder(folder);
  PageParts parts = read_page_parts(folder, report_file);
  parts.report = json_report(verdicts, environment);
  PendingFiles files(folder);
  files.add(report_file, parts.report);
  files.add("junit.xml", junit_report(verdicts, environment));
  files.add("summary.md", markdown_summary(verdicts, environment));
  files.add("findings.sarif", sarif_report(verdicts, environment));
  files.add(page_file, html_page(parts));
  files.commit();
}

void prepare_report_part(const fs::path& folder, const std::string& name) {
  for (const std::string& file : {name, std::string(page_file)}) prepare_report_file(folder, file);
  read_page_parts(folder, name);
}

void write_report_part(const fs::path& folder, const std::string& name, std::string_view content) {
  prepare_report_part(folder, name);
  PageParts parts = read_page_parts(folder, name);
  (name == matrix_file ? parts.kill_matrix : parts.ledger) = content;
  PendingFiles files(folder);
  files.add(name, content);
  files.add(page_file, html_page(parts));
  files.commit();
}

void write_page(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) fail("read the report folder", folder, error ? error.value() : ENOTDIR);
  const PageParts parts = read_page_parts(folder);
  if (parts.report.empty() && parts.kill_matrix.empty() && parts.ledger.empty()) {
    throw ReportError(shell_quote(folder.string()) + ": no report.json, kill_matrix.json or claims.json to show");
  }
  write_report_file(folder, page_file, html_page(parts));
}

}  // namespace deltaproof
