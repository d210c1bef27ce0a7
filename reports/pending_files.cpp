#include "reports/pending_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <iterator>
#include <system_error>

#include "reports/text.hpp"
#include "reports/write.hpp"

namespace deltaproof {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, int error) {
  throw ReportError(
      fmt::format("cannot write {}: {}", shell_quote(path.string()), std::generic_category().message(error)));
}

int write_all(int file, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = write(file, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return fsync(file) == 0 ? 0 : errno;
}

namespace fs = std::filesystem;

constexpr const char* former = ".former";  // what had the name until the commit

/// The process that a file NAME.PROCESS.tmp belongs to, or 0.
pid_t owner(std::string_view file, std::string_view name) {
  constexpr std::string_view ending = ".tmp";
  if (!file.starts_with(name) || !file.ends_with(ending) || file.size() <= name.size() + 1 + ending.size()) return 0;
  file.remove_prefix(name.size());
  file.remove_suffix(ending.size());
  pid_t process = 0;
  const char* const end = file.data() + file.size();
  const auto read = std::from_chars(file.data() + 1, end, process);
  return file.front() == '.' && read.ec == std::errc() && read.ptr == end && process > 0 ? process : 0;
}

/// What killed processes left of files of this name. Whatever goes wrong here is none of the report.
void remove_left_over(const fs::path& folder, const std::string& name) {
  std::error_code ignored;
  for (fs::directory_iterator entry(folder, ignored), end; !ignored && entry != end; entry.increment(ignored)) {
    const pid_t process = owner(entry->path().filename().string(), name);
    if (process == 0 || kill(process, 0) == 0 || errno != ESRCH) continue;
    std::error_code gone;
    if (fs::is_regular_file(entry->symlink_status(gone))) unlink(entry->path().c_str());
  }
}

/// 0, also where there is no such file, or the error. A folder could be moved, too, but is none of a report's files.
int move_aside(const fs::path& file, const std::string& aside) {
  std::error_code ignored;
  const fs::file_status status = fs::symlink_status(file, ignored);
  if (!fs::exists(status)) return 0;
  if (!fs::is_regular_file(status)) return fs::is_directory(status) ? EISDIR : EEXIST;
  return std::rename(file.c_str(), aside.c_str()) == 0 ? 0 : errno;
}

std::string own_name(const fs::path& folder, const std::string& name) {
  return (folder / fmt::format("{}.{}.tmp", name, getpid())).string();
}

}  // namespace

PendingFiles::~PendingFiles() {
  for (const File& file : files_) {
    if (!file.pending.empty()) unlink(file.pending.c_str());
  }
}

void PendingFiles::add(const std::string& name, std::string_view content) {
  if (!held_) held_.emplace();
  for (const char* kind : {"", former}) remove_left_over(folder_, name + kind);
  File file{folder_ / name, own_name(folder_, name)};
  const int number = open(file.pending.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (number < 0) fail(file.pending, errno);
  const int error = write_all(number, content);
  const int closed = close(number) == 0 ? 0 : errno;
  files_.push_back(std::move(file));
  if (error != 0 || closed != 0) fail(files_.back().pending, error != 0 ? error : closed);
}

void PendingFiles::take_name(File& file) {
  if (std::rename(file.pending.c_str(), file.target.c_str()) != 0) {
    const int error = errno;
    if (files_.size() > 1) remove_all();
    fail(file.target, error);
  }
  file.pending.clear();
}

void PendingFiles::commit() {
  if (files_.empty()) return;
  File& first = files_.front();
  if (files_.size() > 1) {  // one alone replaces what was there in one step
    former_ = own_name(folder_, first.target.filename().string() + former);
    if (const int error = move_aside(first.target, former_); error != 0) fail(first.target, error);
  }
  for (auto file = std::next(files_.begin()); file != files_.end(); ++file) take_name(*file);
  take_name(first);
  if (!former_.empty()) unlink(former_.c_str());
  held_.reset();
}

void PendingFiles::remove_all() {
  std::error_code ignored;
  for (const File& file : files_) {
    if (fs::is_regular_file(fs::symlink_status(file.target, ignored))) unlink(file.target.c_str());
  }
  unlink(former_.c_str());
}

}  // namespace deltaproof
