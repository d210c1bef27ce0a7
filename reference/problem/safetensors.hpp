#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "reference/problem/tensor.hpp"

namespace deltaproof {

using TensorMap = std::map<std::string, Tensor>;
using Metadata = std::map<std::string, std::string>;

struct Safetensors {
  Metadata metadata;
  TensorMap tensors;
};

/// Reads a safetensors file strictly: header length within the file and at most 100 MB, header
/// valid JSON without duplicate keys, known dtypes (bf16 f16 f32 f64 i32 i64), byte ranges in
/// bounds, without overlap or holes, of exactly the size that dtype and shape ask for. Nothing is
/// allocated before the sizes are known to fit in the file. Throws InputError naming file, tensor
/// and value.
Safetensors read_safetensors(const std::filesystem::path& path);

/// Writes atomically: a temporary file beside `path`, flushed, then renamed over it.
/// Throws InputError if the folder is missing or not writable.
void write_safetensors(const std::filesystem::path& path, const Safetensors& file);

}  // namespace deltaproof
