#include "reports/pending_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
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

}  // namespace

PendingFiles::~PendingFiles() {
  for (const File& file : files_) {
    if (!file.pending.empty()) unlink(file.pending.c_str());
  }
}

void PendingFiles::add(const std::string& name, std::string_view content) {
  File file{folder_ / name, (folder_ / fmt::format("{}.{}.tmp", name, getpid())).string()};
  const int number = open(file.pending.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (number < 0) fail(file.pending, errno);
  const int error = write_all(number, content);
  const int closed = close(number) == 0 ? 0 : errno;
  files_.push_back(std::move(file));
  if (error != 0 || closed != 0) fail(files_.back().pending, error != 0 ? error : closed);
}

void PendingFiles::commit() {
  for (File& file : files_) {
    if (std::rename(file.pending.c_str(), file.target.c_str()) != 0) {
      const int error = errno;
      if (&file != &files_.front()) remove_all();
      fail(file.target, error);
    }
    file.pending.clear();
  }
}

void PendingFiles::remove_all() {
  std::error_code ignored;
  for (const File& file : files_) {
    if (std::filesystem::is_regular_file(std::filesystem::symlink_status(file.target, ignored))) {
      unlink(file.target.c_str());
    }
  }
}

}  // namespace deltaproof
