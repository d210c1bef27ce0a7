#pragma once

#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace deltaproof {

/// The bytes of a safetensors file.
inline std::string safetensors_bytes(const std::string& header, const std::string& data) {
  std::string bytes(8, '\0');
  for (int i = 0; i < 8; ++i) {
    bytes[static_cast<std::size_t>(i)] = static_cast<char>((header.size() >> (8 * i)) & 0xff);
  }
  return bytes + header + data;
}

/// A small gated_delta case with outputs, in fp32, that each test damages in its own way: the JSON
/// header and the values can be changed before the bytes are made.
struct CaseText {
  nlohmann::json metadata{{"format", "deltaproof.case/1"}, {"rule", "gated_delta"}};
  struct Entry {
    std::vector<std::int64_t> shape;
    std::vector<float> values;
  };
  std::map<std::string, Entry> tensors;

  CaseText() {
    const std::int64_t T = 4, H = 2, K = 3, V = 2;
    add("q", {1, T, H, K}, 0.5f);
    add("k", {1, T, H, K}, 0.25f);
    add("v", {1, T, H, V}, 1.0f);
    add("g", {1, T, H}, -0.125f);
    add("beta", {1, T, H}, 0.5f);
    add("o", {1, T, H, V}, 0.0f);
  }
  void add(const std::string& name, std::vector<std::int64_t> shape, float value) {
    std::size_t size = 1;
    for (const std::int64_t extent : shape) size *= static_cast<std::size_t>(extent);
    tensors[name] = {std::move(shape), std::vector<float>(size, value)};
  }
  /// `edit` may change the header that describes the tensors.
  std::string bytes(const std::function<void(nlohmann::json&)>& edit = {}) const {
    nlohmann::json header{{"__metadata__", metadata}};
    std::string data;
    for (const auto& [name, entry] : tensors) {
      const std::size_t begin = data.size();
      data.append(reinterpret_cast<const char*>(entry.values.data()), entry.values.size() * 4);
      header[name] = {
          {"dtype", "F32"}, {"shape", entry.shape}, {"data_offsets", {begin, data.size()}}};
    }
    if (edit) edit(header);
    return safetensors_bytes(header.dump(), data);
  }
};

}  // namespace deltaproof
