#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/problem/case_file.hpp"

namespace deltaproof::testing {

/// A folder of its own, removed at the end.
class TempFolder {
 public:
  TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  ~TempFolder();
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

void write_bytes(const std::filesystem::path& path, std::string_view bytes);
std::string read_bytes(const std::filesystem::path& path);

/// Bytes of a safetensors file: length of the header, header, data.
std::string safetensors_bytes(std::string_view header, std::string_view data);

/// The action must throw InputError with a message of one line that holds every part.
void expect_refused(const std::function<void()>& action, const std::vector<std::string>& parts);

/// Shape whose extents all differ, so that confused axes show.
struct Sizes {
  std::int64_t B = 1, T = 6, H = 2, HV = 4, K = 3, V = 5, M = 7;
};

/// A case under construction.
struct Case {
  Metadata metadata;
  TensorMap tensors;
  Problem make() const { return Problem::make("small.safetensors", metadata, tensors); }
  void write(const std::filesystem::path& path) const { write_case(path, metadata, tensors); }
};

/// A valid case of the rule with all tensors that it needs and no other: values are multiples of
/// 2^-7 in [-1, 1), gates in their domain.
Case small_case(const std::string& rule = "gated_delta", const Sizes& sizes = {});

/// Pseudo-random values that any floating dtype holds exactly: in [-1, 1), or [-1, 0] for `g`, (0,
/// 1] for gates.
Tensor filled(const std::string& name, std::vector<std::int64_t> shape, Dtype dtype = Dtype::f32);

Tensor integers(const std::vector<double>& values, Dtype dtype = Dtype::i32);

/// Sets one element of an f32 tensor.
void set(Tensor& tensor, std::int64_t flat, double value);

}  // namespace deltaproof::testing
