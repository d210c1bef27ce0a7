#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "properties/golden/vector_file.hpp"
#include "properties/golden/vector_table.hpp"

/// Golden vectors (docs/golden.md): problems with the right answer, correctly rounded, written by one route and
/// verified by another.
namespace deltaproof::golden {

struct GoldenOptions {
  int threads = 0;  ///< 0: all cores
  std::function<void(double)> progress = {};
  std::function<bool()> stop = {};  ///< asked before each vector: true leaves out the rest
};

/// What `write` did.
struct Written {
  std::vector<std::string> vectors;  ///< paths below the folder
  std::vector<std::string> strange;  ///< files in vectors/answers that no vector of the table is
};

/// Makes `vectors` in the folder, answers every problem in its vectors/found, and lists them in its manifest, whose
/// other entries stay as they are. The same bytes on every machine. Each file is replaced as a whole, the manifest last;
/// a run that is stopped lists what it wrote. Throws InputError where an answer cannot be proved or a file not be read
/// or written, once all others are done.
Written write(const std::filesystem::path& folder, std::span<const DrawnVector> vectors, const GoldenOptions& options);

/// One vector and what is wrong with it.
struct VerifiedVector {
  std::string path;
  Verification verification;
};

struct Verified {
  std::vector<VerifiedVector> vectors;    ///< in the order of their paths; of a run that was stopped, not all
  std::vector<std::string> differences;   ///< between files and manifest
  std::size_t files = 0;                  ///< listed in the manifest
  bool right() const;
};

/// Holds the files against the manifest, and each vector against the other route. Throws InputError for a folder without
/// a manifest of this version.
Verified verify(const std::filesystem::path& folder, const GoldenOptions& options);

}  // namespace deltaproof::golden
