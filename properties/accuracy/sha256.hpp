#pragma once

#include <cstddef>
#include <memory>
#include <string>

struct evp_md_ctx_st;  // OpenSSL's EVP_MD_CTX

namespace deltaproof {

/// SHA-256 of what is added, piece by piece.
class Sha256 {
 public:
  /// Throws std::runtime_error where OpenSSL has none.
  Sha256();
  void add(const void* data, std::size_t size);
  /// 64 hexadecimal digits; nothing can be added afterwards.
  std::string hex();

 private:
  std::unique_ptr<evp_md_ctx_st, void (*)(evp_md_ctx_st*)> context_;
};

}  // namespace deltaproof
