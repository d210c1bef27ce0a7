#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace deltaproof::golden {

struct FileDigest {
  std::uint64_t bytes = 0;
  std::string sha256;  ///< 64 hexadecimal digits
};

/// Throws InputError if the file cannot be read.
FileDigest digest_of(const std::filesystem::path& path);

}  // namespace deltaproof::golden
