#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace deltaproof::fuzz {

struct StoredInput {
  std::string path;
  std::vector<std::uint8_t> bytes;
};

/// A file, or all files of a folder by name; hidden ones are left out. Throws std::runtime_error for what cannot be
/// read.
std::vector<StoredInput> stored_inputs(const std::filesystem::path& path);

}  // namespace deltaproof::fuzz
