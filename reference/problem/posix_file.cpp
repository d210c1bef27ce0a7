#include "reference/problem/posix_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "reference/problem/message.hpp"

namespace deltaproof {
namespace {

[[noreturn]] void refuse_errno(const std::string& name, const char* action) {
  refuse(name, std::string(action) + ": " + std::strerror(errno));
}

constexpr std::size_t kLargestTransfer = std::size_t{1} << 30;  // the system's own limit is 2^31

}  // namespace

PosixFile PosixFile::open_for_reading(const std::filesystem::path& path) {
  const std::string name = path.string();
  PosixFile file(name, ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.descriptor_ < 0) refuse_errno(name, "cannot open");
  struct stat status {};
  if (::fstat(file.descriptor_, &status) != 0) refuse_errno(name, "cannot read");
  if (S_ISDIR(status.st_mode)) refuse(name, "is a directory, not a file");
  if (!S_ISREG(status.st_mode)) refuse(name, "is not a regular file");
  file.size_ = static_cast<std::uint64_t>(status.st_size);
  return file;
}

PosixFile PosixFile::create(const std::filesystem::path& path, const std::string& name) {
  PosixFile file(name, ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (file.descriptor_ < 0) refuse_errno(name, "cannot write");
  return file;
}

PosixFile::PosixFile(PosixFile&& other) noexcept
    : name_(std::move(other.name_)), descriptor_(other.descriptor_), size_(other.size_) {
  other.descriptor_ = -1;
}

PosixFile::~PosixFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void PosixFile::read(std::byte* to, std::size_t count) {
  while (count > 0) {
    const ssize_t got = ::read(descriptor_, to, std::min(count, kLargestTransfer));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse_errno(name_, "cannot read");
    if (got == 0) refuse(name_, "ended while it was read; did something else change it?");
    to += got;
    count -= static_cast<std::size_t>(got);
  }
}

void PosixFile::write(const std::byte* from, std::size_t count) {
  while (count > 0) {
    const ssize_t put = ::write(descriptor_, from, std::min(count, kLargestTransfer));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) refuse_errno(name_, "cannot write");
    from += put;
    count -= static_cast<std::size_t>(put);
  }
}

void PosixFile::sync() {
  if (::fsync(descriptor_) != 0) refuse_errno(name_, "cannot write");
}

}  // namespace deltaproof
