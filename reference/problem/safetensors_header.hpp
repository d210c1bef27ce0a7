#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reference/problem/safetensors.hpp"

namespace deltaproof {

/// One tensor as the header describes it; bytes [begin, end) of the data section.
struct TensorEntry {
  std::string name;
  Dtype dtype = Dtype::f32;
  std::vector<std::int64_t> shape;
  std::uint64_t begin = 0, end = 0;
};

struct SafetensorsHeader {
  Metadata metadata;
  std::vector<TensorEntry> entries;
};

/// Parses the JSON header strictly; `file` is for messages. Throws InputError.
SafetensorsHeader parse_header(const std::string& file, std::string_view json);

/// Sorts the entries by their place and checks that they tile the data section exactly, each with
/// the size that its dtype and shape ask for. Throws InputError.
void check_layout(const std::string& file, std::vector<TensorEntry>& entries,
                  std::uint64_t data_size);

}  // namespace deltaproof
