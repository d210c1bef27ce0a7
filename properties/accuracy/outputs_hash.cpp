#include "properties/accuracy/outputs_hash.hpp"

#include <openssl/evp.h>

#include <memory>
#include <stdexcept>

namespace deltaproof {
namespace {

class Sha256 {
 public:
  Sha256() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    if (!context_ || EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) != 1) {
      throw std::runtime_error("SHA-256 is not available in this build of OpenSSL");
    }
  }
  void add(const void* data, std::size_t size) { EVP_DigestUpdate(context_.get(), data, size); }
  void add(const std::string& text) { add(text.c_str(), text.size() + 1); }

  std::string hex() {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int size = 0;
    EVP_DigestFinal_ex(context_.get(), digest, &size);
    std::string text;
    for (unsigned int i = 0; i < size; ++i) {
      text += "0123456789abcdef"[digest[i] >> 4];
      text += "0123456789abcdef"[digest[i] & 15];
    }
    return text;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

}  // namespace

std::string outputs_hash(const Outputs& outputs) {
  Sha256 hash;
  for (const auto& [name, tensor] : outputs.tensors) {
    hash.add(name);
    hash.add(std::string(dtype_name(tensor.dtype)) + shape_string(tensor.shape));
    hash.add(tensor.bytes.data(), tensor.bytes.size());
  }
  return hash.hex();
}

}  // namespace deltaproof
