#include "properties/golden/file_digest.hpp"

#include <algorithm>
#include <vector>

#include "properties/accuracy/sha256.hpp"
#include "reference/problem/posix_file.hpp"

namespace deltaproof::golden {

FileDigest digest_of(const std::filesystem::path& path) {
  Sha256 hash;
  PosixFile file = PosixFile::open_for_reading(path);
  const std::uint64_t bytes = file.size();
  std::vector<std::byte> piece(1 << 16);
  for (std::uint64_t left = bytes; left > 0;) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(left, piece.size()));
    file.read(piece.data(), count);
    hash.add(piece.data(), count);
    left -= count;
  }
  return {bytes, hash.hex()};
}

}  // namespace deltaproof::golden
