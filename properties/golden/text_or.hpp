#pragma once

#include <string>

#include "reference/problem/safetensors.hpp"

namespace deltaproof::golden {

/// The metadata's text under `key`, or `otherwise`.
inline std::string text_or(const Metadata& metadata, const std::string& key, const std::string& otherwise) {
  const auto found = metadata.find(key);
  return found == metadata.end() ? otherwise : found->second;
}

}  // namespace deltaproof::golden
