#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace deltaproof {

/// Owns a file descriptor. Failures are InputErrors that name the file.
class PosixFile {
 public:
  /// A regular file, read from its start; does not wait on pipes or devices.
  static PosixFile open_for_reading(const std::filesystem::path& path);
  /// A new file that must not exist yet; messages call it `name`.
  static PosixFile create(const std::filesystem::path& path, const std::string& name);

  PosixFile(PosixFile&& other) noexcept;
  PosixFile(const PosixFile&) = delete;
  PosixFile& operator=(const PosixFile&) = delete;
  PosixFile& operator=(PosixFile&&) = delete;
  ~PosixFile();

  std::uint64_t size() const { return size_; }
  void read(std::byte* to, std::size_t count);
  void write(const std::byte* from, std::size_t count);
  /// Forces the bytes to the disk.
  void sync();

 private:
  PosixFile(std::string name, int descriptor) : name_(std::move(name)), descriptor_(descriptor) {}
  std::string name_;
  int descriptor_;
  std::uint64_t size_ = 0;
};

}  // namespace deltaproof
