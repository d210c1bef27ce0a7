#include "properties/golden/sha256.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <vector>

#include "reference/problem/posix_file.hpp"

namespace deltaproof::golden {

FileDigest digest_of(const std::filesystem::path& path) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  if (!context || EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) != 1)
    throw std::runtime_error("SHA-256 is not available in this build of OpenSSL");
  PosixFile file = PosixFile::open_for_reading(path);
  FileDigest digest{file.size(), ""};
  std::vector<std::byte> piece(1 << 16);
  for (std::uint64_t left = digest.bytes; left > 0;) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(left, piece.size()));
    file.read(piece.data(), count);
    EVP_DigestUpdate(context.get(), piece.data(), count);
    left -= count;
  }
  unsigned char bytes[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  EVP_DigestFinal_ex(context.get(), bytes, &size);
  for (unsigned int i = 0; i < size; ++i) digest.sha256 += fmt::format("{:02x}", bytes[i]);
  return digest;
}

}  // namespace deltaproof::golden
