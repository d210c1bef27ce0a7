#pragma once

#include <filesystem>

#include "fuzz/finding.hpp"

namespace deltaproof::fuzz {

/// A file that lies in memory, for functions that take paths; gone with the object.
class MemoryFile {
 public:
  /// Throws std::runtime_error if the system has no memory for it.
  MemoryFile();
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  /// Replaces the contents.
  void set(Bytes bytes);
  /// To read from.
  std::filesystem::path path() const;
  /// A path beside which files can be made and renamed to it, as writers do; not the contents of `set`.
  std::filesystem::path writable_path() const { return folder_ / "written.safetensors"; }

 private:
  int descriptor_ = -1;
  std::filesystem::path folder_;
};

}  // namespace deltaproof::fuzz
