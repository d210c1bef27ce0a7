#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/problem/format.hpp"

namespace deltaproof {

enum class Dtype { bf16, f16, f32, f64, i32, i64 };

/// Name as safetensors spells it ("BF16", "F16", "F32", "F64", "I32", "I64").
std::string_view dtype_name(Dtype dtype);
std::size_t dtype_size(Dtype dtype);
bool is_floating(Dtype dtype);
/// Format of a floating dtype; throws std::logic_error for integers.
const Format& dtype_format(Dtype dtype);

/// Dtype of a safetensors name.
std::optional<Dtype> find_dtype(std::string_view name);

/// A tensor as exact bits: dtype, shape (row-major), little-endian bytes.
struct Tensor {
  Dtype dtype = Dtype::f32;
  std::vector<std::int64_t> shape;
  std::vector<std::byte> bytes;

  /// Number of elements.
  std::int64_t size() const;
  /// Exact value of element `flat` of a floating tensor (every float dtype is exact in double).
  double value(std::int64_t flat) const;
  /// Element `flat` of an integer tensor.
  std::int64_t integer(std::int64_t flat) const;
  /// All values of a floating tensor.
  std::vector<double> values() const;

  /// A tensor of `dtype` holding `values` rounded to nearest even (floating) or converted
  /// (integer). Throws std::invalid_argument if the shape does not hold them or one is no integer
  /// of the dtype.
  static Tensor from(Dtype dtype, std::vector<std::int64_t> shape,
                     const std::vector<double>& values);
};

/// "[1, 256, 2, 128]"; beyond 16 axes the rest is left out.
std::string shape_string(const std::vector<std::int64_t>& shape);

}  // namespace deltaproof
