#include "properties/accuracy/outputs_hash.hpp"

#include "properties/accuracy/sha256.hpp"

namespace deltaproof {
namespace {

void add(const std::string& text, Sha256& hash) { hash.add(text.c_str(), text.size() + 1); }

}  // namespace

std::string outputs_hash(const Outputs& outputs) {
  Sha256 hash;
  for (const auto& [name, tensor] : outputs.tensors) {
    add(name, hash);
    add(std::string(dtype_name(tensor.dtype)) + shape_string(tensor.shape), hash);
    hash.add(tensor.bytes.data(), tensor.bytes.size());
  }
  return hash.hex();
}

}  // namespace deltaproof
