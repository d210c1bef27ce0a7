#include "reports/write.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "reports/json.hpp"
#include "reports/junit.hpp"
#include "reports/text.hpp"

namespace deltaproof {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& what, const fs::path& path, int error) {
  throw ReportError(fmt::format("cannot {} {}: {}", what, shell_quote(path.string()),
                                std::generic_category().message(error)));
}

/// A file beside its final name; removed unless it is committed.
class PendingFile {
 public:
  PendingFile(fs::path target, std::string_view content) : target_(std::move(target)) {
    pending_ = target_.string() + fmt::format(".{}.tmp", getpid());
    const int file = open(pending_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) fail("write", pending_, errno);
    const int error = write_all(file, content);
    const int closed = close(file) == 0 ? 0 : errno;
    if (error == 0 && closed == 0) return;
    remove_pending();
    fail("write", pending_, error != 0 ? error : closed);
  }
  ~PendingFile() { remove_pending(); }
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  void commit() {
    if (std::rename(pending_.c_str(), target_.c_str()) != 0) fail("write", target_, errno);
    pending_.clear();
  }

 private:
  static int write_all(int file, std::string_view content) {
    while (!content.empty()) {
      const ssize_t written = write(file, content.data(), content.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return errno;
      content.remove_prefix(static_cast<std::size_t>(written));
    }
    return fsync(file) == 0 ? 0 : errno;
  }
  void remove_pending() {
    if (!pending_.empty()) unlink(pending_.c_str());
  }

  fs::path target_;
  std::string pending_;
};

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
  const PendingFile writable(folder / name, "");
}

void write_report_file(const fs::path& folder, const std::string& name, std::string_view content) {
  prepare_report_file(folder, name);
  PendingFile file(folder / name, content);
  file.commit();
}

void prepare_report_folder(const fs::path& folder) {
  for (const char* name : {"report.json", "junit.xml"}) prepare_report_file(folder, name);
}

void write_reports(const fs::path& folder, const std::vector<Verdict>& verdicts,
                   const Environment& environment) {
  prepare_report_folder(folder);
  PendingFile json(folder / "report.json", json_report(verdicts, environment));
  PendingFile junit(folder / "junit.xml", junit_report(verdicts, environment));
  json.commit();
  try {
    junit.commit();
  } catch (const ReportError&) {
    std::error_code ignored;
    fs::remove(folder / "report.json", ignored);
    throw;
  }
}

}  // namespace deltaproof
