#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace deltaproof::golden {

/// Folders of vectors below the one with the manifest: problems that are drawn from the table, and problems that were
/// found, whose files are in place before they have an answer.
inline constexpr const char* drawn_folder = "vectors/answers";
inline constexpr const char* found_folder = "vectors/found";

/// What `manifest.json` says of one file (scripts/golden_manifest.py).
struct Entry {
  std::string path;  ///< below the folder, with '/'
  std::uint64_t bytes = 0;
  std::string sha256;
  std::string json;  ///< all of it, in the order of its keys
};

using Manifest = std::vector<Entry>;

/// Throws InputError if there is none, or it is not one of this version's format.
Manifest read_manifest(const std::filesystem::path& folder);
/// Atomically, byte for byte as the script writes it. Throws InputError.
void write_manifest(const std::filesystem::path& folder, const Manifest& manifest);

/// What the file of a vector says of itself: size, SHA-256, metadata, tensors. Throws InputError.
Entry vector_entry(const std::filesystem::path& folder, const std::string& path);

/// Paths of all golden data below the folder, in order.
std::vector<std::string> data_files(const std::filesystem::path& folder);
/// Those of vectors.
std::vector<std::string> vector_files(const std::filesystem::path& folder);

/// Every way in which files are not those of the manifest, one sentence each.
std::vector<std::string> manifest_differences(const std::filesystem::path& folder, const Manifest& manifest);

}  // namespace deltaproof::golden
