#include "properties/laws/tensors.hpp"

#include <cmath>
#include <cstring>
#include <numeric>
#include <stdexcept>

namespace deltaproof::laws {
namespace {

// A tensor as `outer` blocks of `count` items of `bytes` each along an axis.
struct Strides {
  std::size_t outer = 1, count = 0, bytes = 0;

  Strides(const Tensor& tensor, std::size_t axis) : bytes(dtype_size(tensor.dtype)) {
    if (axis >= tensor.shape.size()) throw std::logic_error("no such axis");
    for (std::size_t i = 0; i < axis; ++i) outer *= static_cast<std::size_t>(tensor.shape[i]);
    count = static_cast<std::size_t>(tensor.shape[axis]);
    for (std::size_t i = axis + 1; i < tensor.shape.size(); ++i) bytes *= static_cast<std::size_t>(tensor.shape[i]);
  }
};

}  // namespace

Tensor taken(const Tensor& tensor, std::size_t axis, const std::vector<std::int64_t>& from) {
  const Strides s(tensor, axis);
  Tensor result{tensor.dtype, tensor.shape, {}};
  result.shape[axis] = static_cast<std::int64_t>(from.size());
  result.bytes.reserve(s.outer * from.size() * s.bytes);
  for (std::size_t block = 0; block < s.outer; ++block) {
    for (const std::int64_t index : from) {
      if (index < 0 || index >= static_cast<std::int64_t>(s.count)) throw std::logic_error("no such index");
      const std::byte* first = tensor.bytes.data() + (block * s.count + static_cast<std::size_t>(index)) * s.bytes;
      result.bytes.insert(result.bytes.end(), first, first + s.bytes);
    }
  }
  return result;
}

std::vector<std::int64_t> range(std::int64_t begin, std::int64_t count) {
  std::vector<std::int64_t> indices(static_cast<std::size_t>(count));
  std::iota(indices.begin(), indices.end(), begin);
  return indices;
}

Tensor joined(const Tensor& first, const Tensor& second, std::size_t axis) {
  const Strides a(first, axis), b(second, axis);
  if (first.dtype != second.dtype || a.outer != b.outer || a.bytes != b.bytes) {
    throw std::logic_error("tensors that do not fit together");
  }
  Tensor result{first.dtype, first.shape, {}};
  result.shape[axis] += second.shape[axis];
  result.bytes.reserve(first.bytes.size() + second.bytes.size());
  for (std::size_t block = 0; block < a.outer; ++block) {
    for (const auto& [tensor, s] : {std::pair{&first, &a}, std::pair{&second, &b}}) {
      const std::byte* begin = tensor->bytes.data() + block * s->count * s->bytes;
      result.bytes.insert(result.bytes.end(), begin, begin + s->count * s->bytes);
    }
  }
  return result;
}

Tensor transposed(const Tensor& tensor) {
  const std::size_t axes = tensor.shape.size(), size = dtype_size(tensor.dtype);
  const auto rows = static_cast<std::size_t>(tensor.shape[axes - 2]);
  const auto columns = static_cast<std::size_t>(tensor.shape[axes - 1]);
  Tensor result = tensor;
  std::swap(result.shape[axes - 2], result.shape[axes - 1]);
  const std::size_t matrix = rows * columns;
  for (std::size_t at = 0; matrix > 0 && at < static_cast<std::size_t>(tensor.size()); at += matrix) {
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        std::memcpy(result.bytes.data() + (at + j * rows + i) * size, tensor.bytes.data() + (at + i * columns + j) * size,
                    size);
      }
    }
  }
  return result;
}

Tensor scaled(const Tensor& tensor, int exponent) {
  std::vector<double> values = tensor.values();
  for (double& x : values) x = std::ldexp(x, exponent);
  return Tensor::from(tensor.dtype, tensor.shape, values);
}

Tensor filled(const Tensor& like, double value) {
  Tensor one = Tensor::from(like.dtype, {1}, {value});
  Tensor result{like.dtype, like.shape, {}};
  for (std::int64_t i = 0; i < like.size(); ++i) {
    result.bytes.insert(result.bytes.end(), one.bytes.begin(), one.bytes.end());
  }
  return result;
}

void set_value(Tensor& tensor, std::int64_t flat, double value) {
  const Tensor one = Tensor::from(tensor.dtype, {1}, {value});
  std::memcpy(tensor.bytes.data() + static_cast<std::size_t>(flat) * one.bytes.size(), one.bytes.data(), one.bytes.size());
}

}  // namespace deltaproof::laws
